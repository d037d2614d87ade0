/// Jobs that run under leases, and the scheduler that runs them.
@NullMarked
package dev.torg.platform.job;

import org.jspecify.annotations.NullMarked;
