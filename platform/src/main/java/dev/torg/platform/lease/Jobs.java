package dev.torg.platform.lease;

import java.time.Duration;
import java.time.InstantSource;

/// Runs recurring jobs for every group of homes, each group in one process at a time. What is due
/// is decided by the injected clock; the pace is real time.
public final class Jobs {
  private final Leases leases;
  private final InstantSource clock;

  public Jobs(Leases leases, InstantSource clock) {
    this.leases = leases;
    this.clock = clock;
  }

  /// Runs the job in each group once an interval, and again at once while it says there is more.
  public void every(Duration interval, String name, Job job) {
    leases.work(
        "job." + name, lease -> () -> job.run(lease, clock.instant()) ? Duration.ZERO : interval);
  }
}
