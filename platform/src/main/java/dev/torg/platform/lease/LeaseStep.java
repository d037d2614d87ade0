package dev.torg.platform.lease;

import java.time.Duration;

/// Does a little of the work again and again while the lease is held.
@FunctionalInterface
public interface LeaseStep extends AutoCloseable {
  /// One bounded piece of work, seconds at most. Says how long to rest before the next one; a
  /// [Lease#wake] ends the rest early.
  Duration run() throws Exception;

  /// Called once after the last run, whether it failed or the lease ended.
  @Override
  default void close() {}
}
