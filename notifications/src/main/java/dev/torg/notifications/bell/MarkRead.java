package dev.torg.notifications.bell;

import dev.torg.platform.Home;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;

/// Marks entries as read. Counts go down by what was really unread, so they stay exact however many
/// do it at once.
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

  public void ids(Tx tx, String reader, long[] ids, Instant now) throws SQLException {
    ring(tx, reader, now);
    count(tx, reader, of(tx, IDS, reader).longs(ids));
  }

  public void topic(Tx tx, String reader, String topic, Instant now) throws SQLException {
    ring(tx, reader, now);
    count(tx, reader, of(tx, TOPIC, reader).set(topic));
  }

  public void all(Tx tx, String reader, Instant now) throws SQLException {
    ring(tx, reader, now);
    count(tx, reader, of(tx, ALL, reader));
  }

  private void ring(Tx tx, String reader, Instant now) throws SQLException {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, now);
    MergedBellCheck.refuse(store.lockAndAllocateIds(tx, Set.of(reader), micros, 1));
  }

  private void count(Tx tx, String reader, Sql marking) throws SQLException {
    UnreadChanges changes = new UnreadChanges();
    marking.each(row -> changes.add(reader, row.textAt(1), -row.intAt(2)));
    store.addUnread(tx, changes);
  }

  private static Sql of(Tx tx, String text, String reader) throws SQLException {
    return tx.sql(text).set(Home.of(reader)).set(reader);
  }
}
