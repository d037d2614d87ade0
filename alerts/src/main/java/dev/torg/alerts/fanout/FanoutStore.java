package dev.torg.alerts.fanout;

import dev.torg.alerts.event.Alert;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// SQL over fan-outs. A fan-out of a later version of its offer starts again, one of the same version is
/// ignored, so duplicate events start nothing twice. Only the holder of the lease advances them.
public final class FanoutStore {
  private static final BatchSql<Fanout> ADD =
      BatchColumns.of(Fanout::home)
          .longs("offer_id", fanout -> fanout.offer().number())
          .ints("rule", fanout -> fanout.rule().number())
          .texts("target", Fanout::target)
          .longs("version", Fanout::version)
          .instants("at", Fanout::startedAt)
          .bytes("body", fanout -> fanout.alert().toBytes())
          .sql(
              """
              INSERT INTO fanout (home, offer_id, rule, target, version, started_at, worked_at,
                                  cursor, pages, people, audience, body)
              SELECT k.home, k.offer_id, k.rule, k.target, k.version, k.at, k.at, '', 0, 0, 0,
                     k.body
                FROM :rows(k)
               ORDER BY k.home, k.offer_id, k.rule, k.target
              ON CONFLICT (home, offer_id, rule, target) DO UPDATE
                 SET version = excluded.version, started_at = excluded.started_at,
                     worked_at = excluded.worked_at, finished_at = NULL, cursor = '', pages = 0,
                     people = 0, audience = 0, body = excluded.body
               WHERE fanout.version < excluded.version
              """);

  private static final String COLUMNS =
      """
      SELECT offer_id, rule, target, version, started_at, cursor, pages, people, audience, body
        FROM fanout WHERE home = ? AND finished_at IS NULL
      """;

  /// The fan-out of the next target that has waited longest: one index entry is read, however many
  /// fan-outs wait. Withdrawals have their own turns.
  private static final String NEXT =
      COLUMNS
          + " AND rule < %d AND (rule, target) > (?, ?) ORDER BY rule, target, worked_at LIMIT 1"
              .formatted(Fanout.Audience.WITHDRAWAL.number());

  private static final String NEXT_WITHDRAWAL =
      COLUMNS
          + " AND rule = %d AND (rule, target) > (?, ?) ORDER BY rule, target, worked_at LIMIT 1"
              .formatted(Fanout.Audience.WITHDRAWAL.number());

  /// One index lookup per home.
  private static final BatchSql<Home> HOMES_WAITING =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM fanout f
                              WHERE f.home = k.home AND f.finished_at IS NULL AND :shard(f))
              """);

  private static final String ADVANCE =
      """
      UPDATE fanout
         SET cursor = ?, pages = pages + 1, people = people + ?, audience = ?, worked_at = ?,
             finished_at = ?
       WHERE home = ? AND offer_id = ? AND rule = ? AND target = ? AND version = ? AND cursor = ?
      """;

  private static final String SWEEP = "DELETE FROM fanout WHERE home = ? AND finished_at < ?";

  /// An audience that is not counted yet has at least a page.
  private static final String PAGES_WAITING =
      """
      SELECT coalesce(sum(greatest(1, ceil((audience - people) / ?::float))), 0)::bigint
        FROM fanout WHERE finished_at IS NULL
      """;

  /// Of several fan-outs with one key the latest version is kept. Where tables are distributed, the offers are of one
  /// shard.
  public void add(Tx tx, Collection<Fanout> fanouts) throws SQLException {
    Map<List<Object>, Fanout> byKey = new HashMap<>();
    for (Fanout fanout : fanouts) {
      byKey.merge(
          List.of(fanout.offer(), fanout.rule(), fanout.target()),
          fanout,
          (a, b) -> a.version() >= b.version() ? a : b);
    }
    List<Fanout> rows = new ArrayList<>(byKey.values());
    rows.sort(Comparator.comparing(Fanout::offer));
    tx.sql(ADD, rows).update();
  }

  /// The next fan-out of the home after this target.
  Optional<Fanout> next(Tx tx, Home home, Target after) throws SQLException {
    return next(tx.sql(NEXT), home, after);
  }

  /// The next withdrawal of the home after this target.
  Optional<Fanout> nextWithdrawal(Tx tx, Home home, Target after) throws SQLException {
    return next(tx.sql(NEXT_WITHDRAWAL), home, after);
  }

  private static Optional<Fanout> next(Sql sql, Home home, Target after) throws SQLException {
    return sql.set(home).set(after.rule()).set(after.id()).first(FanoutStore::fanout);
  }

  /// The target of the last turn: sellers and searches take turns, not offers.
  record Target(int rule, String id) {
    static final Target FIRST = new Target(0, "");

    static Target of(Fanout fanout) {
      return new Target(fanout.rule().number(), fanout.target());
    }
  }

  List<Home> homesWaiting(Tx tx, List<Home> homes) throws SQLException {
    return tx.sql(HOMES_WAITING, homes).list(row -> row.homeAt(1));
  }

  /// Records a page. Changes nothing if the fan-out was started again since it was read.
  boolean advance(Tx tx, Fanout fanout, Page page, Instant now) throws SQLException {
    return tx.sql(ADVANCE)
            .set(page.cursor())
            .set((long) page.recipients())
            .set(page.audience())
            .set(now)
            .set(page.last() ? now : null)
            .set(fanout.home())
            .set(fanout.offer().number())
            .set(fanout.rule().number())
            .set(fanout.target())
            .set(fanout.version())
            .set(fanout.cursor())
            .update()
        > 0;
  }

  /// The result of a page: its last recipient, the number of recipients, the size of the audience, and
  /// whether it is complete.
  record Page(String cursor, int recipients, long audience, boolean last) {}

  int sweep(Tx tx, Home home, Instant finishedBefore) throws SQLException {
    return tx.sql(SWEEP).set(home).set(finishedBefore).update();
  }

  long pagesWaiting(Tx tx, int pageSize) throws SQLException {
    return tx.sql(PAGES_WAITING).set(pageSize).first(row -> row.longAt(1)).orElse(0L);
  }

  private static Fanout fanout(Row row) throws SQLException {
    return new Fanout(
        new OfferId(row.longAt(1)),
        Fanout.Audience.of(row.intAt(2)),
        row.textAt(3),
        row.longAt(4),
        row.instantAt(5),
        row.textAt(6),
        row.intAt(7),
        row.longAt(8),
        row.longAt(9),
        Alert.stored(row.bytesAt(10)));
  }
}
