package dev.torg.promotions.intent;

import static org.awaitility.Awaitility.await;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.testkit.TestClock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/// The leases of a job that does nothing by itself, so that a test runs its steps one by one.
final class HeldLease implements AutoCloseable {
  private final LeaseCoordinator leases;
  private final Map<Integer, Lease> held = new ConcurrentHashMap<>();

  HeldLease(Database database, TestClock clock) {
    leases = new LeaseCoordinator(database);
    new JobScheduler(leases, clock)
        .every(
            Duration.ofMillis(50),
            "test.steps",
            (lease, _) -> {
              held.put(lease.group(), lease);
              return false;
            });
  }

  /// Waits until it is held.
  Lease of(Home home) {
    await().atMost(Duration.ofSeconds(60)).until(() -> held.containsKey(home.group()));
    return Objects.requireNonNull(held.get(home.group()));
  }

  @Override
  public void close() {
    leases.close();
  }
}
