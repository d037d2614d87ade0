/// `torg verify crash`: the process is killed repeatedly during a stream of writes. Afterwards
/// every acknowledged write must exist once, its event must be in the topic, in order per offer,
/// and all counts must be exact.
@NullMarked
package dev.torg.bench.crash;

import org.jspecify.annotations.NullMarked;
