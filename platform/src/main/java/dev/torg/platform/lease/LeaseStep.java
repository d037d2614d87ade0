package dev.torg.platform.lease;

import java.time.Duration;

/// Does a bounded part of the work, repeatedly while the lease is held.
@FunctionalInterface
public interface LeaseStep extends AutoCloseable {
  /// One bounded piece of work, seconds at most. Returns how long to sleep before the next one; [Lease#wake]
  /// ends the sleep early.
  Duration run() throws Exception;

  /// Called once after the last run, whether it failed or the lease ended.
  @Override
  default void close() {}
}
