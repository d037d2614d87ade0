package dev.torg.platform.lease;

import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// The rows behind the leases. Every comparison with `until` uses the database's clock, read at that
/// moment (`clock_timestamp()`: a statement may have waited for a lock since its transaction began).
/// Rows are taken with SKIP LOCKED, so that rivals never wait for each other.
final class LeaseStore {
  private static final String CREATE =
      """
      INSERT INTO lease (work, homes_group, owner, epoch, until)
      SELECT ?, g, '', 0, '-infinity' FROM generate_series(0, ? - 1) g
      ON CONFLICT DO NOTHING
      """;
  private static final String JOIN =
      """
      INSERT INTO lease_member (work, owner, until)
      VALUES (?, ?, clock_timestamp() + ? * interval '1 ms')
      ON CONFLICT (work, owner) DO UPDATE SET until = excluded.until
      """;
  private static final String LEAVE = "DELETE FROM lease_member WHERE work = ? AND owner = ?";
  private static final String FORGET =
      """
      DELETE FROM lease_member WHERE work = ? AND until < clock_timestamp() - interval '1 hour'
      """;
  private static final String MEMBERS =
      "SELECT count(*) FROM lease_member WHERE work = ? AND until > clock_timestamp()";
  private static final String RENEW =
      """
      UPDATE lease l SET until = clock_timestamp() + ? * interval '1 ms'
      FROM unnest(?::int[], ?::bigint[]) AS held (homes_group, epoch)
      WHERE l.work = ? AND l.owner = ?
        AND l.homes_group = held.homes_group AND l.epoch = held.epoch
      RETURNING l.homes_group, l.epoch
      """;
  private static final String TAKE =
      """
      UPDATE lease l
      SET owner = ?, epoch = l.epoch + 1, until = clock_timestamp() + ? * interval '1 ms'
      FROM (SELECT work, homes_group FROM lease
            WHERE work = ? AND until < clock_timestamp() AND NOT homes_group = ANY (?::int[])
            ORDER BY until, homes_group LIMIT ? FOR UPDATE SKIP LOCKED) AS free
      WHERE l.work = free.work AND l.homes_group = free.homes_group
      RETURNING l.homes_group, l.epoch
      """;
  private static final String RELEASE =
      """
      UPDATE lease SET owner = '', until = '-infinity'
      WHERE work = ? AND homes_group = ? AND owner = ? AND epoch = ?
      """;
  private static final String NEXT_END =
      """
      SELECT ceil(extract(epoch FROM min(until) - clock_timestamp()) * 1000)
      FROM lease WHERE work = ? AND owner <> ? AND until > clock_timestamp()
      """;

  private final String work;
  private final String owner;

  LeaseStore(String work, String owner) {
    this.work = work;
    this.owner = owner;
  }

  void create(Tx tx) throws SQLException {
    try (PreparedStatement statement = tx.prepare(CREATE)) {
      statement.setString(1, work);
      statement.setInt(2, Home.GROUPS);
      statement.executeUpdate();
    }
    try (PreparedStatement statement = tx.prepare(FORGET)) {
      statement.setString(1, work);
      statement.executeUpdate();
    }
  }

  /// Says that this process takes part; how many do.
  int join(Tx tx) throws SQLException {
    try (PreparedStatement statement = tx.prepare(JOIN)) {
      statement.setString(1, work);
      statement.setString(2, owner);
      statement.setLong(3, Lease.VALID.toMillis());
      statement.executeUpdate();
    }
    try (PreparedStatement statement = tx.prepare(MEMBERS)) {
      statement.setString(1, work);
      return (int) number(statement);
    }
  }

  void leave(Tx tx) throws SQLException {
    try (PreparedStatement statement = tx.prepare(LEAVE)) {
      statement.setString(1, work);
      statement.setString(2, owner);
      statement.executeUpdate();
    }
  }

  /// The groups that are still ours for another while.
  Map<Integer, Long> renew(Tx tx, Collection<Lease> held) throws SQLException {
    if (held.isEmpty()) {
      return Map.of();
    }
    try (PreparedStatement statement = tx.prepare(RENEW)) {
      statement.setLong(1, Lease.VALID.toMillis());
      statement.setObject(2, held.stream().mapToInt(Lease::group).toArray());
      statement.setObject(3, held.stream().mapToLong(Lease::epoch).toArray());
      statement.setString(4, work);
      statement.setString(5, owner);
      return epochs(statement);
    }
  }

  /// Takes at most so many leases that nobody holds, except the given groups.
  Map<Integer, Long> take(Tx tx, int atMost, Collection<Integer> except) throws SQLException {
    if (atMost <= 0) {
      return Map.of();
    }
    try (PreparedStatement statement = tx.prepare(TAKE)) {
      statement.setString(1, owner);
      statement.setLong(2, Lease.VALID.toMillis());
      statement.setString(3, work);
      statement.setObject(4, except.stream().mapToInt(Integer::intValue).toArray());
      statement.setInt(5, atMost);
      return epochs(statement);
    }
  }

  void release(Tx tx, Lease lease) throws SQLException {
    try (PreparedStatement statement = tx.prepare(RELEASE)) {
      statement.setString(1, work);
      statement.setInt(2, lease.group());
      statement.setString(3, owner);
      statement.setLong(4, lease.epoch());
      statement.executeUpdate();
    }
  }

  /// How long until somebody else's lease runs out unless it is renewed; at most the given time.
  Duration untilNextEnd(Tx tx, Duration atMost) throws SQLException {
    try (PreparedStatement statement = tx.prepare(NEXT_END)) {
      statement.setString(1, work);
      statement.setString(2, owner);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        long millis = rows.getLong(1);
        return rows.wasNull() || millis > atMost.toMillis() ? atMost : Duration.ofMillis(millis);
      }
    }
  }

  private static long number(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static Map<Integer, Long> epochs(PreparedStatement statement) throws SQLException {
    Map<Integer, Long> epochs = new HashMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        epochs.put(rows.getInt(1), rows.getLong(2));
      }
    }
    return epochs;
  }
}
