/// Torg as a process of its own: started, called, stopped, killed.
@NullMarked
package dev.torg.bench.process;

import org.jspecify.annotations.NullMarked;
