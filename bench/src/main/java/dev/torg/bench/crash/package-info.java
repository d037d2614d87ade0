/// `torg verify crash`: the process is killed in the middle of a stream of writes, again and again, and afterwards
/// every acknowledged write must be there once, its event in the topic, in order per offer, and all counts exact.
@NullMarked
package dev.torg.bench.crash;

import org.jspecify.annotations.NullMarked;
