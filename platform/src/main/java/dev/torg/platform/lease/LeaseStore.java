package dev.torg.platform.lease;

import dev.torg.platform.Home;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /// Our own steps hold their rows while they write; on a busy machine that takes a while.
  private static final String BE_PATIENT = "SELECT set_config('lock_timeout', '2000', true)";

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
      SELECT ceil(extract(epoch FROM min(until) - clock_timestamp()) * 1000)::bigint
      FROM lease WHERE work = ? AND owner <> ? AND until > clock_timestamp()
      """;

  private final String work;
  private final String owner;

  LeaseStore(String work, String owner) {
    this.work = work;
    this.owner = owner;
  }

  void create(Tx tx) throws SQLException {
    tx.sql(CREATE).set(work).set(Home.GROUPS).update();
    tx.sql(FORGET).set(work).update();
  }

  /// Says that this process takes part; how many do.
  int join(Tx tx) throws SQLException {
    tx.sql(BE_PATIENT).first(row -> true);
    tx.sql(JOIN).set(work).set(owner).set(Lease.VALID.toMillis()).update();
    return tx.sql(MEMBERS).set(work).first(row -> row.intAt(1)).orElse(1);
  }

  void leave(Tx tx) throws SQLException {
    tx.sql(LEAVE).set(work).set(owner).update();
  }

  /// The groups that are still ours for another while.
  Map<Integer, Long> renew(Tx tx, List<Lease> held) throws SQLException {
    if (held.isEmpty()) {
      return Map.of();
    }
    return epochs(
        tx.sql(RENEW)
            .set(Lease.VALID.toMillis())
            .ints(held, Lease::group)
            .longs(held, Lease::epoch)
            .set(work)
            .set(owner));
  }

  /// Takes at most so many leases that nobody holds, except the given groups.
  Map<Integer, Long> take(Tx tx, int atMost, Collection<Integer> except) throws SQLException {
    if (atMost <= 0) {
      return Map.of();
    }
    return epochs(
        tx.sql(TAKE)
            .set(owner)
            .set(Lease.VALID.toMillis())
            .set(work)
            .ints(List.copyOf(except), Integer::intValue)
            .set(atMost));
  }

  void release(Tx tx, Lease lease) throws SQLException {
    tx.sql(RELEASE).set(work).set(lease.group()).set(owner).set(lease.epoch()).update();
  }

  /// How long until somebody else's lease runs out unless it is renewed; at most the given time.
  Duration untilNextEnd(Tx tx, Duration atMost) throws SQLException {
    return tx.sql(NEXT_END).set(work).set(owner).first(row -> row.optionalLongAt(1)).stream()
        .flatMap(Optional::stream)
        .map(Duration::ofMillis)
        .filter(end -> end.compareTo(atMost) < 0)
        .findFirst()
        .orElse(atMost);
  }

  private static Map<Integer, Long> epochs(Sql sql) throws SQLException {
    Map<Integer, Long> epochs = new HashMap<>();
    sql.each(row -> epochs.put(row.intAt(1), row.longAt(2)));
    return epochs;
  }
}
