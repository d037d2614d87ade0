package dev.torg.offers.moderation;

import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/// Stores reports, one for each reporter and offer, in the offer's home.
final class ReportStore {
  private static final String ADD =
      """
      INSERT INTO report (home, offer_id, reporter, reason, text, at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """;

  private static final String LOCK_STATUS =
      "SELECT status FROM offer WHERE home = ? AND id = ? AND kind = 'offer' FOR SHARE";

  private static final String QUEUE =
      """
      INSERT INTO moderation_queue AS q (home, offer_id, causes, since, reports)
      VALUES (?, ?, ?, ?, 1)
      ON CONFLICT (home, offer_id)
      DO UPDATE SET causes = q.causes | EXCLUDED.causes, reports = q.reports + 1
      """;

  record Report(OfferId offer, String reporter, String reason, String text, Instant at) {}

  /// The offer's status if it exists. It does not change until this transaction ends: a concurrent removal,
  /// which clears the queue, waits.
  Optional<Status> lockStatus(Tx tx, OfferId offer) throws SQLException {
    return tx.sql(LOCK_STATUS)
        .set(offer.home())
        .set(offer.number())
        .first(row -> Status.forNumber(row.intAt(1)));
  }

  /// Returns false if the reporter has already reported this offer.
  boolean add(Tx tx, Report report) throws SQLException {
    return tx.sql(ADD)
            .set(report.offer().home())
            .set(report.offer().number())
            .set(report.reporter())
            .set(report.reason())
            .set(report.text())
            .set(report.at())
            .update()
        == 1;
  }

  void enqueue(Tx tx, Report report, int cause) throws SQLException {
    tx.sql(QUEUE)
        .set(report.offer().home())
        .set(report.offer().number())
        .set(cause)
        .set(report.at())
        .update();
  }
}
