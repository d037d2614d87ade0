package dev.torg.notifications;

import static org.awaitility.Awaitility.await;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeaseCoordinator;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The leases of all groups of homes, for tests that run jobs themselves.
public final class TestLeases implements AutoCloseable {
  private final List<Lease> leases = new CopyOnWriteArrayList<>();
  private final LeaseCoordinator coordinator;

  public TestLeases(Database database, String work) {
    coordinator = new LeaseCoordinator(database);
    coordinator.work(
        work,
        lease -> {
          leases.add(lease);
          return () -> Duration.ofHours(1);
        });
    await().atMost(Duration.ofSeconds(60)).until(() -> leases.size() == Home.GROUPS);
  }

  public List<Lease> all() {
    return leases;
  }

  public Lease of(Home home) {
    return leases.stream().filter(lease -> lease.group() == home.group()).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    coordinator.close();
  }
}
