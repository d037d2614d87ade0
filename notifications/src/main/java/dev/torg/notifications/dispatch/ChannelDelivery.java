package dev.torg.notifications.dispatch;

import dev.torg.notifications.Channel;
import dev.torg.notifications.operation.OperationClaimer;
import dev.torg.notifications.operation.OperationClaimer.Backlog;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.lease.LeaseStep;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The part of a process in the deliveries of one channel.
final class ChannelDelivery {
  /// How soon operations of other processes, and those that were held back, are found.
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  /// The backlog is counted with every so many polls.
  private static final int POLLS_PER_COUNT = 15;

  private final Channel channel;
  private final Database database;
  private final OperationClaimer claimer;
  private final SendingSlots slots;
  private final MessageDispatcher dispatcher;
  private final DeliveryMetrics metrics;
  private final AtomicReferenceArray<@Nullable DeliveryStep> steps =
      new AtomicReferenceArray<>(Home.GROUPS);
  private int polls;
  private volatile Backlog backlog = new Backlog(0, Duration.ZERO);

  ChannelDelivery(
      Channel channel,
      Database database,
      OperationClaimer claimer,
      SendingSlots slots,
      MessageDispatcher dispatcher,
      DeliveryMetrics metrics) {
    this.channel = channel;
    this.database = database;
    this.claimer = claimer;
    this.slots = slots;
    this.dispatcher = dispatcher;
    this.metrics = metrics;
    metrics.inFlight(channel, slots::inUse);
    metrics.backlog(channel, () -> backlog.operations(), () -> backlog.age().toMillis() / 1_000.0);
  }

  void start(LeaseCoordinator leases) {
    leases.work("delivery." + channel.code(), this::begin, POLL_INTERVAL, this::find);
  }

  /// Operations were queued in these homes.
  void wake(Collection<Home> homes) {
    homes.stream()
        .collect(Collectors.groupingBy(Home::group))
        .forEach(
            (group, some) -> {
              DeliveryStep step = steps.get(group);
              if (step != null) {
                step.wake(some);
              }
            });
  }

  /// A provider is called again, or not any more.
  void wake() {
    slots.wake();
  }

  private LeaseStep begin(Lease lease) {
    DeliveryStep step =
        new DeliveryStep(
            channel,
            lease,
            claimer,
            homes -> database.shards().split(homes, home -> home),
            slots,
            dispatcher,
            metrics,
            () -> steps.set(lease.group(), null));
    steps.set(lease.group(), step);
    return step;
  }

  /// While a provider is not called nothing is queried.
  private Collection<Lease> find(List<Lease> held) {
    List<Home> homes = held.stream().flatMap(lease -> lease.homes().stream()).toList();
    if (polls++ % POLLS_PER_COUNT == 0) {
      backlog = claimer.backlog(homes, channel);
    }
    if (!slots.isOpen()) {
      return List.of();
    }
    List<Home> due = claimer.homesDue(homes, channel);
    wake(due);
    Map<Integer, List<Home>> byGroup = due.stream().collect(Collectors.groupingBy(Home::group));
    return held.stream().filter(lease -> byGroup.containsKey(lease.group())).toList();
  }
}
