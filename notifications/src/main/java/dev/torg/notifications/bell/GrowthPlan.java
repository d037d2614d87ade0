package dev.torg.notifications.bell;

import dev.torg.api.v1.Notification;
import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.NewNotification;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/// Which entries some growths add and which they enlarge. An entry that was read counts as unread again.
record GrowthPlan(
    List<BellStore.NewEntry> fresh, List<BellStore.AggregatedEntry> grown, UnreadChanges changes) {

  /// @param growths at most one per reader and key: see [#sums]
  /// @param known entries that are there, by reader and key
  /// @param nextId the next free id of a reader's bell
  static GrowthPlan of(
      List<AggregatedNotification> growths,
      Map<List<String>, BellStore.ExistingEntry> known,
      ToLongFunction<String> nextId) {
    GrowthPlan plan = new GrowthPlan(new ArrayList<>(), new ArrayList<>(), new UnreadChanges());
    for (AggregatedNotification aggregated : growths) {
      long id = nextId.applyAsLong(aggregated.recipient());
      BellStore.ExistingEntry entry = known.get(List.of(aggregated.recipient(), aggregated.key()));
      if (entry == null) {
        plan.fresh.add(fresh(aggregated, id));
      } else {
        plan.grown.add(grown(aggregated, entry, id));
        plan.changes.add(aggregated.recipient(), entry.topic(), entry.read() ? 1 : 0);
      }
    }
    return plan;
  }

  /// Several growths of one entry become one.
  static List<AggregatedNotification> sums(List<AggregatedNotification> growths) {
    Map<List<String>, AggregatedNotification> sums = new HashMap<>();
    for (AggregatedNotification aggregated : growths) {
      sums.merge(
          List.of(aggregated.recipient(), aggregated.key()),
          aggregated,
          (a, b) ->
              new AggregatedNotification(
                  a.recipient(), a.key(), a.topic(), a.at(), a.by() + b.by(), b.content()));
    }
    return List.copyOf(sums.values());
  }

  private static BellStore.NewEntry fresh(AggregatedNotification aggregated, long id) {
    Notification content = aggregated.content().apply(aggregated.by());
    NewNotification entry =
        new NewNotification(
            aggregated.recipient(),
            aggregated.key(),
            aggregated.topic(),
            aggregated.at(),
            null,
            content);
    return new BellStore.NewEntry(entry, id, aggregated.by(), body(content));
  }

  private static BellStore.AggregatedEntry grown(
      AggregatedNotification aggregated, BellStore.ExistingEntry entry, long seq) {
    int size = entry.size() + aggregated.by();
    byte[] body = body(aggregated.content().apply(size));
    return new BellStore.AggregatedEntry(
        aggregated.home(), aggregated.recipient(), entry.id(), size, seq, body);
  }

  /// The stored message: what has a column of its own is left out.
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
