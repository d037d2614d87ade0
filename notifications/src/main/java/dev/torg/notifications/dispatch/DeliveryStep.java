package dev.torg.notifications.dispatch;

import dev.torg.notifications.Channel;
import dev.torg.notifications.operation.ClaimedMessage;
import dev.torg.notifications.operation.OperationClaimer;
import dev.torg.notifications.operation.OperationClaimer.Allowance;
import dev.torg.notifications.operation.OperationClaimer.Claim;
import dev.torg.platform.Home;
import dev.torg.platform.KeyBackoff;
import dev.torg.platform.db.CommitUnknown;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeaseLost;
import dev.torg.platform.lease.LeaseStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Delivers what is due on one channel in the homes of one lease: reserves slots, claims, dispatches, repeats while there
/// is more. Homes whose claims fail are tried again later, so that they do not block the others.
final class DeliveryStep implements LeaseStep {
  private static final Logger LOG = LoggerFactory.getLogger(DeliveryStep.class);

  /// How long a free slot is waited for before the lease is checked again.
  private static final Duration SLOT_WAIT = Duration.ofSeconds(1);

  /// How long a slot for campaigns is waited for while nothing else is left. Individual messages wait as long, and no more
  /// claims than one in this time find nothing.
  private static final Duration BULK_WAIT = Duration.ofMillis(200);

  /// In case the query for due homes fails.
  private static final Duration IDLE_TIME = Duration.ofMinutes(10);

  private final Channel channel;
  private final Lease lease;
  private final OperationClaimer claimer;
  private final HomesByShard shards;
  private final SendingSlots slots;
  private final MessageDispatcher dispatcher;
  private final DeliveryMetrics metrics;
  private final Runnable onClose;
  private final DueHomes due = new DueHomes();

  /// Whether the last claims took nothing and might not take messages of campaigns, which occupy all slots that they may.
  private boolean isWaitingForBulk;

  private final KeyBackoff<Home> failing =
      new KeyBackoff<>(Duration.ofMillis(200), Duration.ofSeconds(30), System::nanoTime);

  /// The homes of each shard: a claim is of one.
  @FunctionalInterface
  interface HomesByShard {
    List<List<Home>> split(Collection<Home> homes);
  }

  DeliveryStep(
      Channel channel,
      Lease lease,
      OperationClaimer claimer,
      HomesByShard shards,
      SendingSlots slots,
      MessageDispatcher dispatcher,
      DeliveryMetrics metrics,
      Runnable onClose) {
    this.channel = channel;
    this.lease = lease;
    this.claimer = claimer;
    this.shards = shards;
    this.slots = slots;
    this.dispatcher = dispatcher;
    this.metrics = metrics;
    this.onClose = onClose;
  }

  Lease lease() {
    return lease;
  }

  /// Something may be due in these homes, which are of the lease's group.
  void wake(Collection<Home> homes) {
    due.add(homes);
    lease.wake();
  }

  @Override
  public Duration run() throws InterruptedException {
    if (isWaitingForBulk) {
      slots.awaitBulk(BULK_WAIT);
    }
    List<Home> homes =
        due.takeAll().stream()
            .filter(home -> failing.state(home) != KeyBackoff.State.PAUSED)
            .toList();
    if (homes.isEmpty()) {
      isWaitingForBulk = false;
      return IDLE_TIME;
    }
    isWaitingForBulk = true;
    for (List<Home> together : claims(homes)) {
      deliver(together);
    }
    return Duration.ZERO;
  }

  /// The homes of a claim are of one shard. A home that failed before has a claim of its own.
  private List<List<Home>> claims(List<Home> homes) {
    var byState =
        homes.stream()
            .collect(
                Collectors.partitioningBy(home -> failing.state(home) == KeyBackoff.State.CLEAR));
    List<List<Home>> claims = new ArrayList<>(shards.split(byState.getOrDefault(true, List.of())));
    byState.getOrDefault(false, List.of()).forEach(home -> claims.add(List.of(home)));
    return claims;
  }

  private void deliver(List<Home> homes) throws InterruptedException {
    Allowance allowance = slots.reserve(SLOT_WAIT);
    if (allowance.total() == 0) {
      isWaitingForBulk = false;
      due.add(homes);
      return;
    }
    int unused = allowance.total();
    try {
      Claim claim = claimer.claim(lease, homes, channel, allowance);
      homes.forEach(failing::succeeded);
      isWaitingForBulk &= allowance.bulk() == 0 && claim.isEmpty();
      unused -= dispatch(claim);
    } catch (LeaseLost e) {
      throw e;
    } catch (CommitUnknown e) {
      LOG.warn("a claim may have been committed; its messages are not sent: {}", e.toString());
    } catch (RuntimeException e) {
      LOG.warn("{} in {} homes cannot be claimed: {}", channel, homes.size(), e.toString());
      homes.forEach(failing::failed);
    } finally {
      slots.release(unused);
    }
  }

  private int dispatch(Claim claim) {
    claim.suppressed().forEach(one -> metrics.suppressed(channel, one.topic(), one.reason()));
    for (ClaimedMessage message : claim.messages()) {
      dispatcher.dispatch(message, () -> slots.release(1));
    }
    due.add(claim.more());
    return claim.messages().size();
  }

  @Override
  public void close() {
    onClose.run();
  }
}
