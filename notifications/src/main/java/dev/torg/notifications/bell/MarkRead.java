package dev.torg.notifications.bell;

import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Set;

/// Marks entries as read. Unread counts are reduced by the rows that changed, so they stay exact under
/// concurrent calls.
public final class MarkRead {
  private static final String MARK =
      """
      WITH done AS (
        UPDATE notification SET read = true WHERE home = ? AND owner = ? AND NOT read %s
        RETURNING topic)
      SELECT topic, count(*) FROM done GROUP BY topic
      """;

  private static final String IDS = MARK.formatted("AND id = ANY (?::bigint[])");
  private static final String TOPIC = MARK.formatted("AND topic = ?");
  private static final String ALL = MARK.formatted("");

  private final BellStore store;

  public MarkRead(BellStore store) {
    this.store = store;
  }

  public void ids(Tx tx, String recipient, long[] ids, Instant now) throws SQLException {
    lock(tx, recipient, now);
    count(tx, recipient, statement(tx, IDS, recipient).longs(ids));
  }

  public void topic(Tx tx, String recipient, String topic, Instant now) throws SQLException {
    lock(tx, recipient, now);
    count(tx, recipient, statement(tx, TOPIC, recipient).set(topic));
  }

  public void all(Tx tx, String recipient, Instant now) throws SQLException {
    lock(tx, recipient, now);
    count(tx, recipient, statement(tx, ALL, recipient));
  }

  private void lock(Tx tx, String recipient, Instant now) throws SQLException {
    store
        .lockAndAllocateIds(tx, Set.of(recipient), EpochMicros.of(now), 1)
        .values()
        .forEach(BellStore.LockedBell::requireNotMerged);
  }

  private void count(Tx tx, String recipient, Sql marking) throws SQLException {
    UnreadChanges changes = new UnreadChanges();
    marking.each(row -> changes.add(recipient, row.textAt(1), -row.intAt(2)));
    store.addUnread(tx, changes);
  }

  private static Sql statement(Tx tx, String text, String recipient) throws SQLException {
    return tx.sql(text).set(Home.of(recipient)).set(recipient);
  }
}
