package dev.torg.notifications.operation;

import dev.torg.notifications.BellEntry;
import dev.torg.notifications.Channel;
import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Queues the deliveries of new entries in the transaction that creates them, with one statement, or none if they are for
/// the bell only.
public final class BellOperations {
  /// An entry that the transaction created.
  public record Created(BellEntry entry, long id) {}

  private final OperationStore store = new OperationStore();
  private final OperationListeners listeners;
  private final MeterRegistry registry;

  public BellOperations(OperationListeners listeners, MeterRegistry registry) {
    this.listeners = listeners;
    this.registry = registry;
  }

  /// The entries are of one shard, and their bells are locked.
  public void queue(Tx tx, List<Created> created, Instant now) throws SQLException {
    List<OperationRows.Queued> queued = new ArrayList<>();
    Map<Channel, Set<Home>> homes = new EnumMap<>(Channel.class);
    for (Created one : created) {
      BellEntry entry = one.entry();
      for (Channel channel : entry.delivery().channels()) {
        queued.add(
            new OperationRows.Queued(
                DeliveryOperation.of(
                    entry.recipient(), one.id(), channel, entry.topic(), entry.delivery(), now),
                now));
        homes.computeIfAbsent(channel, _ -> new HashSet<>()).add(entry.home());
      }
    }
    if (!queued.isEmpty()) {
      store.insert(tx, queued);
      tx.afterCommit(
          () -> {
            listeners.publish(homes);
            queued.forEach(one -> count(one.operation()));
          });
    }
  }

  private void count(DeliveryOperation accepted) {
    Counter.builder("torg.delivery.accepted")
        .description("Messages that were queued for a channel besides the bell")
        .tags("channel", accepted.channel().code(), "topic", accepted.topic())
        .register(registry)
        .increment();
  }
}
