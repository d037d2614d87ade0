package dev.torg.notifications.bell;

import dev.torg.api.v1.Notification;
import dev.torg.api.v1.UnreadCount;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Reads entries and unread counts of a bell, newest entries first. Expired entries are neither returned nor counted.
public final class BellReader {
  private static final String COLUMNS =
      "n.seq, n.id, n.topic, n.created_at, n.read, n.offer_id, n.body";

  /// Entries are removed by a job some time after they expire.
  private static final String NOT_EXPIRED = "(n.expires_at IS NULL OR n.expires_at > ?)";

  private static final String LIST =
      """
      SELECT * FROM (%s) AS n ORDER BY n.id DESC LIMIT ?
      """;

  /// One range of an index. An index by topic contains the read state, so that both states are separate ranges.
  private static final String RANGE =
      """
      (SELECT %s FROM notification n
        WHERE n.home = ? AND n.owner = ? AND n.id < ? AND %s %%s ORDER BY n.id DESC LIMIT ?)
      """
          .formatted(COLUMNS, NOT_EXPIRED);

  private static final String ALL = RANGE.formatted("");
  private static final String UNREAD = RANGE.formatted("AND NOT n.read");
  private static final String READ = RANGE.formatted("AND n.read");
  private static final String UNREAD_OF_TOPIC = RANGE.formatted("AND NOT n.read AND n.topic = ?");
  private static final String READ_OF_TOPIC = RANGE.formatted("AND n.read AND n.topic = ?");

  /// Without the expired entries that are still counted.
  private static final String COUNT =
      """
      SELECT c.topic, sum(c.count)::int FROM (
        SELECT u.topic, u.count FROM unread u WHERE u.home = ? AND u.owner = ? AND u.count <> 0
        UNION ALL
        SELECT n.topic, -1 FROM notification n
         WHERE n.home = ? AND n.owner = ? AND NOT n.read AND n.expires_at <= ?) AS c
       GROUP BY c.topic HAVING sum(c.count) <> 0
      """;

  private static final String SEQ = "SELECT seq FROM bell WHERE home = ? AND owner = ?";

  /// New entries by id, aggregated entries that have grown by seq: each of the two has an index.
  private static final String SINCE =
      """
      SELECT * FROM (
        (SELECT %1$s FROM notification n
          WHERE n.home = ? AND n.owner = ? AND n.id > ? AND n.seq = n.id AND %2$s ORDER BY n.id LIMIT ?)
        UNION ALL
        (SELECT %1$s FROM notification n
          WHERE n.home = ? AND n.owner = ? AND n.seq > ? AND n.seq <> n.id AND %2$s ORDER BY n.seq LIMIT ?)
      ) AS n ORDER BY n.seq LIMIT ?
      """
          .formatted(COLUMNS, NOT_EXPIRED);

  private final InstantSource clock;

  public BellReader(InstantSource clock) {
    this.clock = clock;
  }

  /// An entry and the `seq` of its last change.
  public record Entry(long seq, long id, Notification notification) {}

  /// Entries with an id below the given one.
  public List<Entry> list(Tx tx, String recipient, long below, BellFilter filter, int limit)
      throws SQLException {
    List<Range> ranges = ranges(filter);
    if (ranges.isEmpty()) {
      return List.of();
    }
    Instant now = clock.instant();
    String union = ranges.stream().map(Range::text).collect(Collectors.joining(" UNION ALL "));
    Sql sql = tx.sql(LIST.formatted(union));
    for (Range range : ranges) {
      sql.set(Home.of(recipient)).set(recipient).set(below).set(now);
      if (!range.topic().isEmpty()) {
        sql.set(range.topic());
      }
      sql.set(limit);
    }
    return sql.set(limit).list(BellReader::entry);
  }

  /// @param topic empty: entries of all topics
  private record Range(String text, String topic) {}

  private static List<Range> ranges(BellFilter filter) {
    List<Boolean> states = filter.readStates();
    if (!filter.topics().isEmpty()) {
      return filter.topics().stream()
          .flatMap(topic -> states.stream().map(read -> ofTopic(topic, read)))
          .toList();
    }
    return switch (states.size()) {
      case 0 -> List.of();
      case 1 -> List.of(new Range(states.getFirst() ? READ : UNREAD, ""));
      default -> List.of(new Range(ALL, ""));
    };
  }

  private static Range ofTopic(String topic, boolean read) {
    return new Range(read ? READ_OF_TOPIC : UNREAD_OF_TOPIC, topic);
  }

  public UnreadCount unreadCount(Tx tx, String recipient) throws SQLException {
    UnreadCount.Builder count = UnreadCount.newBuilder();
    Home home = Home.of(recipient);
    tx.sql(COUNT)
        .set(home)
        .set(recipient)
        .set(home)
        .set(recipient)
        .set(clock.instant())
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
    Instant now = clock.instant();
    return tx.sql(SINCE)
        .set(home)
        .set(recipient)
        .set(seq)
        .set(now)
        .set(limit)
        .set(home)
        .set(recipient)
        .set(seq)
        .set(now)
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
