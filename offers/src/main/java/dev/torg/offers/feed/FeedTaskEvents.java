package dev.torg.offers.feed;

import dev.torg.api.v1.FeedEvent;
import dev.torg.offers.OfferTopics;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Announces tasks that finished, were stopped or failed, in the transaction that changes them. An event's `seq` is the
/// time of the task's last change, which [FeedTaskStore#laterThanLastChange] raises above the previous one.
final class FeedTaskEvents {
  private final Outbox outbox;
  private final FeedTaskStore tasks = new FeedTaskStore();

  FeedTaskEvents(Outbox outbox) {
    this.outbox = outbox;
  }

  /// The task has changed in this transaction.
  void ended(Tx tx, StoredFeedTask.Key key) throws SQLException {
    append(tx, List.of(key), 0);
  }

  /// These tasks failed in this transaction because a later one replaced them.
  void replaced(Tx tx, List<StoredFeedTask.Key> keys, long replacedBy) throws SQLException {
    append(tx, keys, replacedBy);
  }

  private void append(Tx tx, List<StoredFeedTask.Key> keys, long replacedBy) throws SQLException {
    List<OutboxMessage> messages = new ArrayList<>();
    for (StoredFeedTask.Key key : keys) {
      tasks.find(tx, key).ifPresent(task -> messages.add(message(task, replacedBy)));
    }
    if (!messages.isEmpty()) {
      outbox.append(tx, messages);
    }
  }

  private static OutboxMessage message(StoredFeedTask task, long replacedBy) {
    long at = EpochMicros.of(task.updatedAt());
    FeedEvent event =
        FeedEvent.newBuilder()
            .setSellerId(task.key().seller())
            .setSeq(at)
            .setAt(EpochMicros.timestamp(at))
            .setTask(FeedRpc.encode(task))
            .setReplacedBy(replacedBy)
            .build();
    return new OutboxMessage(
        task.key().home(),
        at,
        OfferTopics.FEEDS,
        task.key().seller() + "/" + task.taskId(),
        event.toByteArray());
  }
}
