package dev.torg.platform.job;

import dev.torg.platform.lease.Lease;
import java.time.Instant;

/// Recurring work: expiring, archiving, sweeping.
@FunctionalInterface
public interface Job {
  /// Does at most a page of what is due at the given time in the homes of the lease, checking the lease in each
  /// transaction that writes. Returns whether there may be more to do immediately.
  boolean run(Lease lease, Instant now) throws Exception;
}
