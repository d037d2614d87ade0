package dev.torg.notifications.dispatch;

import static org.awaitility.Awaitility.await;

import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.DeliveryTargets;
import dev.torg.notifications.operation.ClaimDependencies;
import dev.torg.notifications.operation.OperationClaimer;
import dev.torg.notifications.operation.OperationClaimer.Allowance;
import dev.torg.notifications.operation.OperationClaimer.Claim;
import dev.torg.notifications.settings.TestSettings;
import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.lease.LeaseLost;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/// Claims without a sender.
final class ClaimFixture implements AutoCloseable {
  private final LeaseCoordinator leases;
  private final Map<Integer, Lease> held = new ConcurrentHashMap<>();
  final OperationClaimer claimer;
  volatile Runnable insideClaim = () -> {};

  ClaimFixture(DeliveryFixture fixture) {
    leases = new LeaseCoordinator(fixture.database);
    leases.work(
        "claims",
        lease -> {
          held.put(lease.group(), lease);
          return () -> Duration.ofMinutes(1);
        });
    await().atMost(DeliveryFixture.TIMEOUT).until(() -> held.size() == Home.GROUPS);
    claimer =
        new OperationClaimer(
            fixture.database,
            new ClaimDependencies(
                NotificationTopics.defaults(),
                TestSettings.stored(),
                new InterceptedTargets(fixture.targets),
                fixture.progress,
                EnumSet.allOf(DeliveryProvider.class)),
            fixture.clock);
  }

  /// Repeated where the lease expired while another claim was held open.
  Claim claim(String recipient, int limit) {
    Home home = Home.of(recipient);
    AtomicReference<Claim> claim = new AtomicReference<>();
    await()
        .atMost(DeliveryFixture.TIMEOUT)
        .ignoreException(LeaseLost.class)
        .until(
            () -> {
              claim.set(
                  claimer.claim(
                      held.get(home.group()),
                      List.of(home),
                      Channel.EMAIL,
                      new Allowance(limit, limit)));
              return true;
            });
    return claim.get();
  }

  /// Runs something while the claim's transaction holds its locks.
  private final class InterceptedTargets implements DeliveryTargets {
    private final DeliveryTargets targets;

    InterceptedTargets(DeliveryTargets targets) {
      this.targets = targets;
    }

    @Override
    public Map<String, List<DeliveryTarget>> find(
        Tx tx, Collection<String> recipients, Channel channel) throws SQLException {
      tx.sql("SELECT set_config('idle_in_transaction_session_timeout', '0', true)")
          .first(_ -> true);
      insideClaim.run();
      return targets.find(tx, recipients, channel);
    }

    @Override
    public List<DeliveryTarget> find(String recipient, Channel channel) {
      return targets.find(recipient, channel);
    }

    @Override
    public void remove(String recipient, DeliveryTarget gone) {
      targets.remove(recipient, gone);
    }
  }

  @Override
  public void close() {
    leases.close();
  }
}
