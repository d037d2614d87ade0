package dev.torg.notifications.sending;

import dev.torg.notifications.sending.AcceptedNotification.Key;
import dev.torg.notifications.sending.AcceptedNotificationStore.Stored;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.coalesce.Outcome;
import dev.torg.platform.coalesce.WriteHandler;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Records notifications and appends their messages, many notifications in one transaction. The result is the number
/// of recipients. The record decides: who inserts it appends the messages, and it shows the outcome of a COMMIT whose
/// response was lost.
final class AcceptHandler implements WriteHandler<AcceptedNotification, Integer> {
  private final AcceptedNotificationStore store = new AcceptedNotificationStore();
  private final Outbox outbox;
  private final MessageSequence sequence;
  private final SendingMetrics metrics;

  AcceptHandler(Outbox outbox, MessageSequence sequence, SendingMetrics metrics) {
    this.outbox = outbox;
    this.sequence = sequence;
    this.metrics = metrics;
  }

  @Override
  public Home home(AcceptedNotification item) {
    return item.home();
  }

  @Override
  public Object lockKey(AcceptedNotification item) {
    return item.key();
  }

  @Override
  public List<Outcome<Integer>> apply(Tx tx, List<AcceptedNotification> items) throws SQLException {
    Map<Key, AcceptedNotification> firsts = firsts(items);
    Set<Key> inserted = store.insert(tx, List.copyOf(firsts.values()));
    List<Key> known = firsts.keySet().stream().filter(key -> !inserted.contains(key)).toList();
    Map<Key, Stored> stored = store.find(tx, known);
    inserted.forEach(key -> stored.put(key, stored(firsts, key)));
    List<AcceptedNotification> accepted =
        firsts.values().stream().filter(item -> inserted.contains(item.key())).toList();
    outbox.append(tx, messages(accepted));
    tx.afterCommit(() -> accepted.forEach(metrics::accepted));
    return items.stream().map(item -> outcome(item, stored)).toList();
  }

  private static Map<Key, AcceptedNotification> firsts(List<AcceptedNotification> items) {
    Map<Key, AcceptedNotification> firsts = new LinkedHashMap<>();
    items.forEach(item -> firsts.putIfAbsent(item.key(), item));
    return firsts;
  }

  private static Stored stored(Map<Key, AcceptedNotification> firsts, Key key) {
    AcceptedNotification item = firsts.get(key);
    if (item == null) {
      throw new IllegalStateException("a record was inserted for an unknown notification");
    }
    return new Stored(item.recipients().size(), item.bodyHash());
  }

  private List<OutboxMessage> messages(List<AcceptedNotification> accepted) {
    List<OutboxMessage> messages = new ArrayList<>();
    for (AcceptedNotification item : accepted) {
      for (String recipient : item.recipients()) {
        messages.add(
            new OutboxMessage(
                item.home(),
                sequence.next(),
                SendingTopics.NOTIFICATIONS,
                recipient,
                item.payload()));
      }
    }
    return messages;
  }

  private static Outcome<Integer> outcome(AcceptedNotification item, Map<Key, Stored> stored) {
    Stored record = stored.get(item.key());
    if (record == null) {
      throw new IllegalStateException("a record disappeared");
    }
    return record.bodyHash().equals(item.bodyHash())
        ? Outcome.done(record.recipients())
        : Outcome.failed(reused());
  }

  private static Failure reused() {
    return Failure.conflict("notification.id-reused", "this id was used for another notification");
  }

  @Override
  public List<Optional<Integer>> recover(Tx tx, List<AcceptedNotification> items)
      throws SQLException {
    Map<Key, Stored> stored =
        store.find(tx, items.stream().map(AcceptedNotification::key).distinct().toList());
    return items.stream().map(item -> recovered(item, stored)).toList();
  }

  private static Optional<Integer> recovered(AcceptedNotification item, Map<Key, Stored> stored) {
    return Optional.ofNullable(stored.get(item.key()))
        .filter(record -> record.bodyHash().equals(item.bodyHash()))
        .map(Stored::recipients);
  }
}
