package dev.torg.notifications.bell;

import dev.torg.api.v1.Notification;
import dev.torg.api.v1.UnreadCount;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/// Reads entries and unread counts of a bell, newest entries first.
public final class BellReader {
  private static final String COLUMNS =
      "n.seq, n.id, n.topic, n.created_at, n.read, n.offer_id, n.body";

  private static final String LIST =
      """
      SELECT %s FROM notification n
       WHERE n.home = ? AND n.owner = ? AND n.id < ? AND (? OR n.topic = ANY (?::text[])) %s
       ORDER BY n.id DESC LIMIT ?
      """;

  private static final String ALL = LIST.formatted(COLUMNS, "");
  private static final String UNREAD = LIST.formatted(COLUMNS, "AND NOT n.read");

  private static final String COUNT =
      "SELECT topic, count FROM unread WHERE home = ? AND owner = ? AND count <> 0";

  private static final String SEQ = "SELECT seq FROM bell WHERE home = ? AND owner = ?";

  /// New entries by id, aggregated entries that have grown by seq: each of the two has an index.
  private static final String SINCE =
      """
      SELECT * FROM (
        (SELECT %1$s FROM notification n
          WHERE n.home = ? AND n.owner = ? AND n.id > ? AND n.seq = n.id ORDER BY n.id LIMIT ?)
        UNION ALL
        (SELECT %1$s FROM notification n
          WHERE n.home = ? AND n.owner = ? AND n.seq > ? AND n.seq <> n.id ORDER BY n.seq LIMIT ?)
      ) AS n ORDER BY n.seq LIMIT ?
      """
          .formatted(COLUMNS);

  /// An entry and the `seq` of its last change.
  public record Entry(long seq, long id, Notification notification) {}

  /// Entries with an id below the given one.
  public List<Entry> list(
      Tx tx, String recipient, long below, List<String> topics, boolean unreadOnly, int limit)
      throws SQLException {
    return tx.sql(unreadOnly ? UNREAD : ALL)
        .set(Home.of(recipient))
        .set(recipient)
        .set(below)
        .set(topics.isEmpty())
        .texts(topics, topic -> topic)
        .set(limit)
        .list(BellReader::entry);
  }

  public UnreadCount unreadCount(Tx tx, String recipient) throws SQLException {
    UnreadCount.Builder count = UnreadCount.newBuilder();
    tx.sql(COUNT)
        .set(Home.of(recipient))
        .set(recipient)
        .each(row -> count.putByTopic(row.textAt(1), row.intAt(2)));
    int total = count.getByTopicMap().values().stream().mapToInt(Integer::intValue).sum();
    return count.setTotal(total).build();
  }

  /// The `seq` of the last change; 0 before the first.
  public long seq(Tx tx, String recipient) throws SQLException {
    Optional<Long> seq =
        tx.sql(SEQ).set(Home.of(recipient)).set(recipient).first(row -> row.longAt(1));
    return seq.orElse(0L);
  }

  /// Entries that were created or enlarged after the given `seq`, oldest first.
  public List<Entry> since(Tx tx, String recipient, long seq, int limit) throws SQLException {
    Home home = Home.of(recipient);
    return tx.sql(SINCE)
        .set(home)
        .set(recipient)
        .set(seq)
        .set(limit)
        .set(home)
        .set(recipient)
        .set(seq)
        .set(limit)
        .set(limit)
        .list(BellReader::entry);
  }

  private static Entry entry(Row row) throws SQLException {
    Notification.Builder notification =
        StoredProto.parse(Notification.parser(), row.bytesAt(7), "notification").toBuilder();
    long id = row.longAt(2);
    notification
        .setId(Long.toString(id))
        .setTopic(row.textAt(3))
        .setCreatedAt(EpochMicros.timestamp(EpochMicros.of(row.instantAt(4))))
        .setRead(row.booleanAt(5));
    row.optionalLongAt(6)
        .ifPresent(offer -> notification.setOfferId(new OfferId(offer).toString()));
    return new Entry(row.longAt(1), id, notification.build());
  }
}
