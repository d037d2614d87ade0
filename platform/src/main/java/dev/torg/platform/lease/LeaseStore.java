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

/// The SQL of leases. Every comparison with `until` uses the database's clock, read at that time
/// (`clock_timestamp()`: a statement may have waited for a lock since its transaction began). Rows are acquired
/// and renewed with SKIP LOCKED, so that competing processes never wait for each other, nor a renewal for a
/// step of this process that holds its row while it writes.
final class LeaseStore {
  private static final String CREATE =
      """
      INSERT INTO lease (work, homes_group, owner, epoch, until)
      SELECT w, g, '', 0, '-infinity' FROM unnest(?::text[]) w, generate_series(0, ? - 1) g
      ON CONFLICT DO NOTHING
      """;

  private static final String JOIN =
      """
      INSERT INTO lease_member (work, owner, until)
      SELECT w, ?, clock_timestamp() + ? * interval '1 ms' FROM unnest(?::text[]) w
      ON CONFLICT (work, owner) DO UPDATE SET until = excluded.until
      """;
  private static final String DELETE_MEMBER = "DELETE FROM lease_member WHERE owner = ?";
  private static final String DELETE_DEAD_MEMBERS =
      """
      DELETE FROM lease_member
      WHERE work = ANY (?::text[]) AND until < clock_timestamp() - interval '1 hour'
      """;
  private static final String MEMBERS =
      """
      SELECT work, count(*)::int FROM lease_member
      WHERE work = ANY (?::text[]) AND until > clock_timestamp() GROUP BY work
      """;
  private static final String RENEW =
      """
      UPDATE lease l SET until = clock_timestamp() + ? * interval '1 ms'
      FROM (SELECT o.work, o.homes_group
            FROM lease o JOIN unnest(?::text[], ?::int[], ?::bigint[]) AS held (work, part, epoch)
              ON o.work = held.work AND o.homes_group = held.part AND o.epoch = held.epoch
            WHERE o.owner = ? FOR NO KEY UPDATE OF o SKIP LOCKED) AS ours
      WHERE l.work = ours.work AND l.homes_group = ours.homes_group
      RETURNING l.work, l.homes_group, l.epoch
      """;
  private static final String STILL_HELD =
      """
      SELECT o.work, o.homes_group, o.epoch
      FROM lease o JOIN unnest(?::text[], ?::int[], ?::bigint[]) AS held (work, part, epoch)
        ON o.work = held.work AND o.homes_group = held.part AND o.epoch = held.epoch
      WHERE o.owner = ?
      """;
  private static final String ACQUIRE =
      """
      UPDATE lease l
      SET owner = ?, epoch = l.epoch + 1, until = clock_timestamp() + ? * interval '1 ms'
      FROM (SELECT work, homes_group FROM lease
            WHERE work = ? AND until < clock_timestamp() AND NOT homes_group = ANY (?::int[])
            ORDER BY until, homes_group LIMIT ? FOR UPDATE SKIP LOCKED) AS free
      WHERE l.work = free.work AND l.homes_group = free.homes_group
      RETURNING l.work, l.homes_group, l.epoch
      """;
  private static final String RELEASE =
      """
      UPDATE lease SET owner = '', until = '-infinity'
      WHERE work = ? AND homes_group = ? AND owner = ? AND epoch = ?
      """;
  private static final String RELEASE_ALL =
      "UPDATE lease SET owner = '', until = '-infinity' WHERE owner = ?";
  private static final String NEXT_END =
      """
      SELECT ceil(extract(epoch FROM min(until) - clock_timestamp()) * 1000)::bigint
      FROM lease WHERE work = ANY (?::text[]) AND owner <> ? AND until > clock_timestamp()
      """;

  private final String owner;

  LeaseStore(String owner) {
    this.owner = owner;
  }

  void create(Tx tx, List<String> works) throws SQLException {
    tx.sql(CREATE).texts(works, name -> name).set(Home.GROUPS).update();
    tx.sql(DELETE_DEAD_MEMBERS).texts(works, name -> name).update();
  }

  /// Registers this process as a member of these works; returns the number of members of each.
  Map<String, Integer> join(Tx tx, List<String> works) throws SQLException {
    tx.sql(JOIN).set(owner).set(Lease.TTL.toMillis()).texts(works, name -> name).update();
    Map<String, Integer> members = new HashMap<>();
    tx.sql(MEMBERS)
        .texts(works, name -> name)
        .each(row -> members.put(row.textAt(1), row.intAt(2)));
    return members;
  }

  /// The leases renewed for this process; without those locked by another transaction.
  Map<LeaseId, Long> renew(Tx tx, List<Lease> held) throws SQLException {
    return held.isEmpty()
        ? Map.of()
        : epochs(named(tx.sql(RENEW).set(Lease.TTL.toMillis()), held).set(owner));
  }

  /// Those of the leases that no other process has taken over.
  Map<LeaseId, Long> stillHeld(Tx tx, List<Lease> held) throws SQLException {
    return held.isEmpty() ? Map.of() : epochs(named(tx.sql(STILL_HELD), held).set(owner));
  }

  private static Sql named(Sql sql, List<Lease> leases) throws SQLException {
    return sql.texts(leases, Lease::work).ints(leases, Lease::group).longs(leases, Lease::epoch);
  }

  /// Acquires at most `limit` free leases of a work, except the given groups.
  Map<LeaseId, Long> acquire(Tx tx, String work, int limit, Collection<Integer> except)
      throws SQLException {
    if (limit <= 0) {
      return Map.of();
    }
    return epochs(
        tx.sql(ACQUIRE)
            .set(owner)
            .set(Lease.TTL.toMillis())
            .set(work)
            .ints(List.copyOf(except), Integer::intValue)
            .set(limit));
  }

  void release(Tx tx, Lease lease) throws SQLException {
    tx.sql(RELEASE).set(lease.work()).set(lease.group()).set(owner).set(lease.epoch()).update();
  }

  /// Releases all leases and leaves all works.
  void releaseAll(Tx tx) throws SQLException {
    tx.sql(RELEASE_ALL).set(owner).update();
    tx.sql(DELETE_MEMBER).set(owner).update();
  }

  /// How long until another process's lease expires unless it is renewed; at most the given time.
  Duration untilNextEnd(Tx tx, List<String> works, Duration max) throws SQLException {
    return tx
        .sql(NEXT_END)
        .texts(works, name -> name)
        .set(owner)
        .first(row -> row.optionalLongAt(1))
        .stream()
        .flatMap(Optional::stream)
        .map(Duration::ofMillis)
        .filter(end -> end.compareTo(max) < 0)
        .findFirst()
        .orElse(max);
  }

  private static Map<LeaseId, Long> epochs(Sql sql) throws SQLException {
    Map<LeaseId, Long> epochs = new HashMap<>();
    sql.each(row -> epochs.put(new LeaseId(row.textAt(1), row.intAt(2)), row.longAt(3)));
    return epochs;
  }
}
