/// Torg as a separate process: started, called, stopped, killed.
@NullMarked
package dev.torg.bench.process;

import org.jspecify.annotations.NullMarked;
