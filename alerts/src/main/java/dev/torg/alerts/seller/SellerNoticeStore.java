package dev.torg.alerts.seller;

import dev.torg.alerts.text.SellerNoticeKind;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// SQL over events that sellers are notified of, in the seller's home. The insert decides whether an event is new; the
/// entries are written in the transaction that marks the rows as sent.
final class SellerNoticeStore {
  private static final Comparator<SellerNotice> BY_KEY =
      Comparator.comparing((SellerNotice notice) -> notice.home().number())
          .thenComparing(SellerNotice::seller)
          .thenComparingInt(notice -> notice.kind().number())
          .thenComparing(SellerNotice::subject);

  private static final BatchColumns<SellerNotice> KEYS =
      BatchColumns.of(SellerNotice::home)
          .texts("seller", SellerNotice::seller)
          .ints("kind", notice -> notice.kind().number())
          .texts("subject", SellerNotice::subject);

  private static final BatchSql<SellerNotice> INSERT =
      KEYS.bytes("body", SellerNotice::body)
          .sql(
              """
              INSERT INTO seller_notice (home, seller, kind, subject, at, run_at, body)
              SELECT k.home, k.seller, k.kind, k.subject, ?::timestamptz, ?::timestamptz, k.body
                FROM :rows(k)
               ORDER BY k.home, k.seller, k.kind, k.subject
              ON CONFLICT (home, seller, kind, subject) DO NOTHING
              """);

  private static final BatchSql<Home> HOMES_DUE =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM seller_notice n
                              WHERE n.home = k.home AND n.run_at <= ? AND :shard(n))
              """);

  /// Everything that waits for the sellers and kinds of which something is due.
  private static final String SELECT_PAGE =
      """
      SELECT n.seller, n.kind, n.subject, n.body FROM seller_notice n
       WHERE n.home = ? AND n.run_at IS NOT NULL
         AND (n.seller, n.kind) IN (
           SELECT d.seller, d.kind FROM seller_notice d WHERE d.home = ? AND d.run_at <= ?)
       ORDER BY n.seller, n.kind, n.run_at, n.subject LIMIT ?
      """;

  private static final BatchSql<SellerNotice> MARK_SENT =
      KEYS.sql(
          """
          UPDATE seller_notice n SET run_at = NULL, body = '' FROM :batch(k)
           WHERE n.home = k.home AND n.seller = k.seller AND n.kind = k.kind
             AND n.subject = k.subject AND :shard(n)
          """);

  private static final BatchSql<HourCount> COUNT =
      BatchColumns.<HourCount>of(count -> Home.of(count.group().seller()))
          .texts("seller", count -> count.group().seller())
          .ints("kind", count -> count.group().kind().number())
          .ints("hour", HourCount::hour)
          .ints("sent", HourCount::sent)
          .sql(
              """
              INSERT INTO seller_notice_count AS c (home, seller, kind, hour, sent)
              SELECT k.home, k.seller, k.kind, k.hour, k.sent FROM :rows(k)
               ORDER BY k.home, k.seller, k.kind
              ON CONFLICT (home, seller, kind) DO UPDATE
                 SET sent = CASE WHEN c.hour = excluded.hour THEN c.sent + excluded.sent
                                 ELSE excluded.sent END,
                     hour = excluded.hour
              RETURNING seller, kind, sent
              """);

  private static final String DELETE_OLD =
      """
      DELETE FROM seller_notice WHERE home = ? AND (seller, kind, subject) IN (
        SELECT seller, kind, subject FROM seller_notice
         WHERE home = ? AND at < ? AND run_at IS NULL LIMIT ?)
      """;

  private static final String DELETE_OLD_COUNTS =
      "DELETE FROM seller_notice_count WHERE home = ? AND hour < ?";

  /// What is counted together.
  record Group(String seller, SellerNoticeKind kind) {
    static Group of(SellerNotice notice) {
      return new Group(notice.seller(), notice.kind());
    }
  }

  private record HourCount(Group group, int hour, int sent) {}

  /// Inserts the events that are new. They are of one shard.
  void insert(Tx tx, Collection<SellerNotice> notices, Instant now) throws SQLException {
    List<SellerNotice> sorted = new ArrayList<>(notices);
    sorted.sort(BY_KEY);
    tx.sql(INSERT, sorted).set(now).set(now.plus(SellerNotice.GATHER_TIME)).update();
  }

  List<Home> homesDue(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_DUE, homes).set(now).list(row -> row.homeAt(1));
  }

  List<SellerNotice> page(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(SELECT_PAGE)
        .set(home)
        .set(home)
        .set(now)
        .set(limit)
        .list(SellerNoticeStore::notice);
  }

  void markSent(Tx tx, List<SellerNotice> notices) throws SQLException {
    tx.sql(MARK_SENT, notices).update();
  }

  /// Counts what is sent in this hour, and returns the counts before.
  Map<Group, Integer> count(Tx tx, Map<Group, Integer> sending, int hour) throws SQLException {
    List<HourCount> rows =
        sending.entrySet().stream()
            .map(group -> new HourCount(group.getKey(), hour, group.getValue()))
            .toList();
    Map<Group, Integer> before = new HashMap<>();
    tx.sql(COUNT, rows)
        .each(
            row -> {
              Group group = new Group(row.textAt(1), SellerNoticeKind.ofNumber(row.intAt(2)));
              before.put(group, row.intAt(3) - sending.getOrDefault(group, 0));
            });
    return before;
  }

  int deleteOld(Tx tx, Home home, Instant before, int hour, int limit) throws SQLException {
    tx.sql(DELETE_OLD_COUNTS).set(home).set(hour).update();
    return tx.sql(DELETE_OLD).set(home).set(home).set(before).set(limit).update();
  }

  private static SellerNotice notice(Row row) throws SQLException {
    return new SellerNotice(
        row.textAt(1), SellerNoticeKind.ofNumber(row.intAt(2)), row.textAt(3), row.bytesAt(4));
  }
}
