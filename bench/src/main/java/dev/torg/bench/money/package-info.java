/// Proves that no money is lost or counted twice: load on processes that are killed, and everything recomputed from the
/// tables afterwards.
@NullMarked
package dev.torg.bench.money;

import org.jspecify.annotations.NullMarked;
