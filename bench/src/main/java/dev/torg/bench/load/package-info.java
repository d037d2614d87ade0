/// Drives calls against a service and measures them: as fast as a number of callers can, or at a steady rate.
@NullMarked
package dev.torg.bench.load;

import org.jspecify.annotations.NullMarked;
