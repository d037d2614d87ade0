package dev.torg.platform.outbox;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;

/// Appends the events of a change in the transaction of the change. The [Relay] sends and deletes
/// the rows; a relay in this process is woken right after the commit, others poll.
public final class Outbox {
  private static final BatchSql<OutboxMessage> APPEND =
      BatchColumns.of(OutboxMessage::home)
          .longs("seq", OutboxMessage::seq)
          .texts("topic", OutboxMessage::topic)
          .texts("key", OutboxMessage::key)
          .bytes("payload", OutboxMessage::payload)
          .sql(
              """
              INSERT INTO outbox (home, homes_group, seq, topic, key, payload)
              SELECT m.home, m.home % :groups, m.seq, m.topic, m.key, m.payload FROM :rows(m)
              """
                  .replace(":groups", Integer.toString(Home.GROUPS)));

  /// In the order of the queue's key.
  private static final BatchSql<Home> OLDEST =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT o.seq FROM outbox o WHERE o.homes_group = ? AND :shard(o)
               ORDER BY o.homes_group, o.seq LIMIT 1
              """);

  /// Bytes of an event. Requests are bounded far below it; a larger event would be a bug, no broker accepts it
  /// by default (1,048,588 bytes including overhead), and every consumer would have to hold thousands of them.
  public static final int MAX_BYTES = 1_000_000;

  private final List<IntConsumer> wakers = new CopyOnWriteArrayList<>();

  /// Adds the events to the caller's transaction with one statement, whatever their number. One that
  /// is too large fails the change. Where tables are distributed, they are of one shard.
  public void append(Tx tx, List<OutboxMessage> messages) throws SQLException {
    messages.forEach(Outbox::requireBounded);
    insert(tx, messages);
  }

  private static void requireBounded(OutboxMessage message) {
    int bytes = message.payload().length;
    if (bytes > MAX_BYTES) {
      throw new Failure(
          Failure.Kind.INVALID,
          "event.too-large",
          "the change is too large to be recorded",
          List.of(),
          new IllegalArgumentException(
              "an event of %d bytes for %s, key %s"
                  .formatted(bytes, message.topic(), message.key())));
    }
  }

  /// Without a size limit, as in an earlier version: the [Relay] still has to handle such rows.
  public void insert(Tx tx, List<OutboxMessage> messages) throws SQLException {
    tx.sql(APPEND, messages).update();
    BitSet groups = groups(messages);
    tx.afterCommit(() -> wake(groups));
  }

  /// The `seq`, which is a time in µs, of the oldest waiting event in the home's group: a bulk writer can see
  /// whether its events delay those of others. Where tables are distributed, only events of this home count.
  public OptionalLong oldest(Tx tx, Home home) throws SQLException {
    return tx.sql(OLDEST, List.of(home))
        .set(home.group())
        .first(row -> OptionalLong.of(row.longAt(1)))
        .orElse(OptionalLong.empty());
  }

  /// Calls back with the group of homes that has new events, after each commit in this process.
  public void onCommit(IntConsumer waker) {
    wakers.add(waker);
  }

  private static BitSet groups(List<OutboxMessage> messages) {
    BitSet groups = new BitSet(Home.GROUPS);
    messages.forEach(message -> groups.set(message.home().group()));
    return groups;
  }

  private void wake(BitSet groups) {
    wakers.forEach(waker -> groups.stream().forEach(waker));
  }
}
