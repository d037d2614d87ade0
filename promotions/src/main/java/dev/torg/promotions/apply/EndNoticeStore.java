package dev.torg.promotions.apply;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// SQL over how many offers sellers were notified of in an hour.
final class EndNoticeStore {
  private static final BatchSql<Count> COUNT =
      BatchColumns.<Count>of(count -> Home.of(count.seller()))
          .texts("seller", Count::seller)
          .ints("hour", Count::hour)
          .ints("sent", Count::sent)
          .sql(
              """
              INSERT INTO promotion_notice_count AS c (home, seller, hour, sent)
              SELECT k.home, k.seller, k.hour, k.sent FROM :rows(k)
               ORDER BY k.home, k.seller
              ON CONFLICT (home, seller) DO UPDATE
                 SET sent = CASE WHEN c.hour = excluded.hour THEN c.sent + excluded.sent
                                 ELSE excluded.sent END,
                     hour = excluded.hour
              RETURNING seller, sent
              """);

  private static final String DELETE_OLD =
      "DELETE FROM promotion_notice_count WHERE home = ? AND hour < ?";

  private record Count(String seller, int hour, int sent) {}

  /// Counts what is sent in this hour, by seller, and returns the counts before.
  Map<String, Integer> count(Tx tx, Map<String, Integer> sending, int hour) throws SQLException {
    List<Count> rows =
        sending.entrySet().stream()
            .map(seller -> new Count(seller.getKey(), hour, seller.getValue()))
            .toList();
    Map<String, Integer> before = new HashMap<>();
    tx.sql(COUNT, rows)
        .each(
            row ->
                before.put(row.textAt(1), row.intAt(2) - sending.getOrDefault(row.textAt(1), 0)));
    return before;
  }

  void deleteBefore(Tx tx, Home home, int hour) throws SQLException {
    tx.sql(DELETE_OLD).set(home).set(hour).update();
  }
}
