/// Where offers go when they are over: removed and expired ones, after a while. A stub stays behind
/// with the month under which the body is found, so that ids stay unique and a look-up by id goes on
/// working. An expired offer that is reactivated comes back from there.
@NullMarked
package dev.torg.offers.archive;

import org.jspecify.annotations.NullMarked;
