package dev.torg.notifications.bell;

import dev.torg.api.v1.Notification;
import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.NewNotification;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/// Which entries some aggregated notifications add and which they update. An entry that was read counts as
/// unread again.
record AggregationPlan(
    List<BellStore.NewEntry> newEntries,
    List<BellStore.AggregatedEntry> aggregatedEntries,
    UnreadChanges changes) {

  /// @param notifications at most one per recipient and key: see [#mergeByKey]
  /// @param existing entries, by recipient and key
  /// @param nextId the next free id of a recipient's bell
  static AggregationPlan of(
      List<AggregatedNotification> notifications,
      Map<List<String>, BellStore.ExistingEntry> existing,
      ToLongFunction<String> nextId) {
    AggregationPlan plan =
        new AggregationPlan(new ArrayList<>(), new ArrayList<>(), new UnreadChanges());
    for (AggregatedNotification aggregated : notifications) {
      long id = nextId.applyAsLong(aggregated.recipient());
      BellStore.ExistingEntry entry =
          existing.get(List.of(aggregated.recipient(), aggregated.key()));
      if (entry == null) {
        plan.newEntries.add(newEntry(aggregated, id));
      } else {
        plan.aggregatedEntries.add(aggregatedEntry(aggregated, entry, id));
        plan.changes.add(aggregated.recipient(), entry.topic(), entry.read() ? 1 : 0);
      }
    }
    return plan;
  }

  /// Merges several notifications of one entry into one.
  static List<AggregatedNotification> mergeByKey(List<AggregatedNotification> notifications) {
    Map<List<String>, AggregatedNotification> byKey = new HashMap<>();
    for (AggregatedNotification aggregated : notifications) {
      byKey.merge(
          List.of(aggregated.recipient(), aggregated.key()),
          aggregated,
          (a, b) ->
              new AggregatedNotification(
                  a.recipient(),
                  a.key(),
                  a.topic(),
                  a.at(),
                  a.by() + b.by(),
                  b.content(),
                  a.delivery().joinedWith(b.delivery())));
    }
    return List.copyOf(byKey.values());
  }

  private static BellStore.NewEntry newEntry(AggregatedNotification aggregated, long id) {
    Notification content = aggregated.content().apply(aggregated.by());
    NewNotification entry =
        new NewNotification(
            aggregated.recipient(),
            aggregated.key(),
            aggregated.topic(),
            aggregated.at(),
            null,
            content,
            aggregated.delivery());
    return new BellStore.NewEntry(entry, id, aggregated.by(), body(content));
  }

  private static BellStore.AggregatedEntry aggregatedEntry(
      AggregatedNotification aggregated, BellStore.ExistingEntry entry, long seq) {
    int size = entry.size() + aggregated.by();
    byte[] body = body(aggregated.content().apply(size));
    return new BellStore.AggregatedEntry(
        aggregated.home(),
        aggregated.recipient(),
        entry.id(),
        size,
        seq,
        aggregated.delivery(),
        body);
  }

  /// The stored message: fields with a column of their own are omitted.
  static byte[] body(Notification content) {
    return content.toBuilder()
        .clearId()
        .clearTopic()
        .clearCreatedAt()
        .clearRead()
        .clearOfferId()
        .build()
        .toByteArray();
  }
}
