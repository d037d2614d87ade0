/// JMH micro-benchmarks of inner loops: `torg bench micro [--include REGEX]`.
@NullMarked
package dev.torg.bench.micro;

import org.jspecify.annotations.NullMarked;
