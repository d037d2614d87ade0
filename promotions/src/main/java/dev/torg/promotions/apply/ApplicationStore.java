package dev.torg.promotions.apply;

import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.PaymentId;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/// SQL over what became of the services of payments, in the payment's home. A second application of a service of a payment
/// violates the key, and its transaction fails.
final class ApplicationStore {
  /// What became of a service of a payment. The numbers are those of the column `outcome`.
  enum Outcome {
    APPLIED(1),
    REFUNDED(2),
    /// It was applied, and its payment was returned later.
    TAKEN_BACK(3);

    private final int number;

    Outcome(int number) {
      this.number = number;
    }
  }

  /// @param amount the part of the total, in minor units
  record Application(PaymentId payment, String service, Outcome outcome, long amount) {
    Home home() {
      return payment.home();
    }
  }

  /// A service that was applied.
  record Applied(String service, Instant at) {}

  private static final BatchSql<Application> INSERT =
      BatchColumns.of(Application::home)
          .texts("payment_id", application -> application.payment().text())
          .texts("service", Application::service)
          .ints("outcome", application -> application.outcome().number)
          .longs("amount", Application::amount)
          .sql(
              """
              INSERT INTO promotion_application (home, payment_id, service, outcome, amount, at)
              SELECT k.home, k.payment_id, k.service, k.outcome, k.amount, ?::timestamptz FROM :rows(k)
               ORDER BY k.home, k.payment_id, k.service
              """);

  private static final String TAKE_BACK =
      """
      UPDATE promotion_application SET outcome = 3
       WHERE home = ? AND payment_id = ? AND outcome = 1 RETURNING service, at
      """;

  void insert(Tx tx, List<Application> applications, Instant now) throws SQLException {
    List<Application> sorted =
        applications.stream()
            .sorted(Comparator.comparing(Application::payment).thenComparing(Application::service))
            .toList();
    tx.sql(INSERT, sorted).set(now).update();
  }

  /// Returns what was applied and is taken back now.
  List<Applied> takeBack(Tx tx, PaymentId payment) throws SQLException {
    return tx.sql(TAKE_BACK)
        .set(payment.home())
        .set(payment.text())
        .list(row -> new Applied(row.textAt(1), row.instantAt(2)));
  }
}
