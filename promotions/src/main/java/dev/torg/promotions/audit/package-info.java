/// Recomputes from the tables what became of all money: pure checks over a snapshot of a home, and the statements that
/// read one. `./torg verify money` and the tests of faults use them.
@NullMarked
package dev.torg.promotions.audit;

import org.jspecify.annotations.NullMarked;
