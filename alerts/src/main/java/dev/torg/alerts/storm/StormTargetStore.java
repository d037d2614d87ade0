package dev.torg.alerts.storm;

import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.OfferPositions;
import dev.torg.alerts.fanout.Fanout.Audience;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// SQL over the audiences of a seller's storm, in the seller's home: a log of positions per audience, and
/// the progress of its walk. Transactions that append lock the seller's row of `storm`, so `seq` orders
/// the log; only the holder of the lease advances a target.
public final class StormTargetStore {
  private static final String NEXT_SEQ =
      "UPDATE storm SET last_seq = last_seq + 1 WHERE home = ? AND seller = ? RETURNING last_seq";

  private static final BatchColumns<Match> TARGETS =
      BatchColumns.<Match>of(match -> Home.of(match.seller))
          .texts("seller", Match::seller)
          .ints("rule", match -> rule(match.reason))
          .texts("target", match -> match.reason.id());

  private static final BatchSql<Match> APPEND =
      TARGETS
          .bytes("positions", match -> match.positions.encode())
          .sql(
              """
              INSERT INTO storm_match (home, seller, rule, target, seq, positions)
              SELECT k.home, k.seller, k.rule, k.target, ?, k.positions FROM :rows(k)
              """);

  private static final BatchSql<Match> ADD_TARGETS =
      TARGETS.sql(
          """
          INSERT INTO storm_target (home, seller, rule, target, last_seq, done_seq, round_seq,
                                    cursor, worked_at, run_at)
          SELECT k.home, k.seller, k.rule, k.target, ?, ?, ?, '', ?, ? FROM :rows(k)
           ORDER BY k.rule, k.target
          ON CONFLICT (home, seller, rule, target) DO UPDATE SET last_seq = excluded.last_seq
          """);

  /// Sellers take turns; of a seller's targets the one that has waited longest.
  private static final String NEXT =
      """
      SELECT seller, rule, target, last_seq, done_seq, round_seq, cursor FROM storm_target
       WHERE home = ? AND last_seq > done_seq AND run_at <= ? AND seller > ?
       ORDER BY seller, worked_at LIMIT 1
      """;

  private static final BatchSql<Home> HOMES_WAITING =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM storm_target t
                              WHERE t.home = k.home AND t.last_seq > t.done_seq AND t.run_at <= ?
                                AND :shard(t))
              """);

  private static final String MATCHES =
      """
      SELECT seq, positions FROM storm_match
       WHERE home = ? AND seller = ? AND rule = ? AND target = ? AND seq > ? AND seq <= ?
       ORDER BY seq LIMIT ?
      """;

  private static final String ADVANCE =
      """
      UPDATE storm_target SET done_seq = ?, round_seq = ?, cursor = ?, worked_at = ?, run_at = ?
       WHERE home = ? AND seller = ? AND rule = ? AND target = ? AND done_seq = ? AND cursor = ?
      """;

  private static final String REMOVE_MATCHES =
      """
      DELETE FROM storm_match
       WHERE home = ? AND seller = ? AND rule = ? AND target = ? AND seq <= ?
      """;

  private static final String SWEEP =
      "DELETE FROM storm_target WHERE home = ? AND last_seq = done_seq AND worked_at < ?";

  /// An audience of a seller's storm and its progress: the log up to `doneSeq` was sent to all members,
  /// the log up to `roundSeq` to those up to `cursor`. An empty cursor: no walk is in progress.
  public record Target(
      String seller, AlertReason reason, long lastSeq, long doneSeq, long roundSeq, String cursor) {
    Home home() {
      return Home.of(seller);
    }
  }

  /// Positions to append to the log of an audience.
  private record Match(String seller, AlertReason reason, OfferPositions positions) {}

  /// The progress of a walk after a page.
  record Progress(long doneSeq, long roundSeq, String cursor, Instant runAt) {}

  /// Appends positions to the logs of these audiences. The offers have been numbered before.
  public void append(Tx tx, String seller, Map<AlertReason, OfferPositions> matches, Instant now)
      throws SQLException {
    Home home = Home.of(seller);
    long seq = tx.sql(NEXT_SEQ).set(home).set(seller).first(row -> row.longAt(1)).orElseThrow();
    List<Match> rows = new ArrayList<>();
    matches.forEach((reason, positions) -> rows.add(new Match(seller, reason, positions)));
    rows.sort(
        Comparator.comparingInt((Match row) -> rule(row.reason))
            .thenComparing(row -> row.reason.id()));
    tx.sql(APPEND, rows).set(seq).update();
    tx.sql(ADD_TARGETS, rows).set(seq).set(seq - 1).set(seq - 1).set(now).set(now).update();
  }

  /// The next target of the home after a seller.
  Optional<Target> next(Tx tx, Home home, String afterSeller, Instant now) throws SQLException {
    return tx.sql(NEXT).set(home).set(now).set(afterSeller).first(StormTargetStore::target);
  }

  List<Home> homesWaiting(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_WAITING, homes).set(now).list(row -> row.homeAt(1));
  }

  /// An entry of the log.
  record Logged(long seq, OfferPositions positions) {}

  /// A page of a target's log: the entries after `after`, up to and including `until`.
  List<Logged> matches(Tx tx, Target target, long after, long until, int limit)
      throws SQLException {
    return tx.sql(MATCHES)
        .set(target.home())
        .set(target.seller())
        .set(rule(target.reason()))
        .set(target.reason().id())
        .set(after)
        .set(until)
        .set(limit)
        .list(row -> new Logged(row.longAt(1), OfferPositions.decode(row.bytesAt(2))));
  }

  /// Records a page, and deletes the log of a finished walk. False if another process has advanced it.
  boolean advance(Tx tx, Target target, Progress progress, Instant now) throws SQLException {
    boolean advanced =
        tx.sql(ADVANCE)
                .set(progress.doneSeq())
                .set(progress.roundSeq())
                .set(progress.cursor())
                .set(now)
                .set(progress.runAt())
                .set(target.home())
                .set(target.seller())
                .set(rule(target.reason()))
                .set(target.reason().id())
                .set(target.doneSeq())
                .set(target.cursor())
                .update()
            > 0;
    if (advanced && progress.doneSeq() > target.doneSeq()) {
      tx.sql(REMOVE_MATCHES)
          .set(target.home())
          .set(target.seller())
          .set(rule(target.reason()))
          .set(target.reason().id())
          .set(progress.doneSeq())
          .update();
    }
    return advanced;
  }

  int sweep(Tx tx, Home home, Instant workedBefore) throws SQLException {
    return tx.sql(SWEEP).set(home).set(workedBefore).update();
  }

  private static int rule(AlertReason reason) {
    return (reason.kind() == AlertReason.Kind.SEARCH ? Audience.SEARCH : Audience.SELLER).number();
  }

  private static Target target(Row row) throws SQLException {
    String id = row.textAt(3);
    return new Target(
        row.textAt(1),
        row.intAt(2) == Audience.SEARCH.number() ? AlertReason.search(id) : AlertReason.seller(id),
        row.longAt(4),
        row.longAt(5),
        row.longAt(6),
        row.textAt(7));
  }
}
