package dev.torg.promotions.audit;

import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.ServiceTerm;
import dev.torg.promotions.apply.EntityState;
import dev.torg.promotions.audit.MoneySnapshot.Account;
import dev.torg.promotions.audit.MoneySnapshot.Application;
import dev.torg.promotions.audit.MoneySnapshot.EntryKind;
import dev.torg.promotions.audit.MoneySnapshot.Expiry;
import dev.torg.promotions.audit.MoneySnapshot.Leg;
import dev.torg.promotions.audit.MoneySnapshot.Outcome;
import dev.torg.promotions.audit.MoneySnapshot.Payment;
import dev.torg.promotions.audit.MoneySnapshot.Promotion;
import dev.torg.promotions.audit.MoneySnapshot.ProviderPayment;
import dev.torg.promotions.audit.MoneySnapshot.ProviderRefund;
import dev.torg.promotions.audit.MoneySnapshot.Target;
import dev.torg.promotions.audit.MoneySnapshot.Transition;
import dev.torg.promotions.stored.PaymentBody;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Reads the snapshot of a home, in one transaction that sees one state of it. Blocks.
public final class MoneyTables {
  private static final String ISOLATION = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ";

  private static final String PAYMENTS =
      """
      SELECT id, payer, purpose, reference, status, provider, total, currency, refund_due, refunded, audits, body
        FROM payment WHERE home = ?
      """;

  private static final String TRANSITIONS =
      """
      SELECT payment_id, n, from_status, to_status FROM payment_audit WHERE home = ? ORDER BY payment_id, n
      """;

  private static final String APPLICATIONS =
      "SELECT payment_id, service, outcome, amount, at FROM promotion_application WHERE home = ?";

  private static final String PROVIDER_PAYMENTS =
      "SELECT id, status = 3, amount, currency, refunded FROM sandbox_payment WHERE home = ?";

  private static final String PROVIDER_REFUNDS =
      "SELECT payment_id, amount FROM sandbox_refund WHERE home = ?";

  private static final String ACCOUNTS =
      "SELECT seller, currency, balance FROM ledger_account WHERE home = ?";

  private static final String LEGS =
      """
      SELECT seller, currency, id, leg = 0, kind, amount, reference, refers_to, reason, at
        FROM ledger_entry WHERE home = ? ORDER BY seller, currency, id, leg
      """;

  private static final String TARGETS =
      "SELECT entity_type || ':' || entity_id, status FROM promotion_target WHERE home = ?";

  private static final String PROMOTIONS =
      """
      SELECT entity_type || ':' || entity_id, service, since, until, source FROM promotion WHERE home = ?
      """;

  private static final String EXPIRIES =
      """
      SELECT entity_type || ':' || entity_id, service, run_at FROM promotion_expiry WHERE home = ?
      """;

  private static final String SENDING = "SELECT count(*) FROM sandbox_webhook WHERE home = ?";

  private static final String RECEIVED =
      "SELECT count(*) FROM payment_webhook WHERE home = ? AND retry_at IS NOT NULL";

  private final Database database;

  public MoneyTables(Database database) {
    this.database = database;
  }

  public MoneySnapshot read(Home home, Instant now) {
    return database.inTransaction(
        tx -> {
          var _ = tx.sql(ISOLATION).update();
          return snapshot(tx, home, now);
        });
  }

  private static MoneySnapshot snapshot(Tx tx, Home home, Instant now) throws SQLException {
    return new MoneySnapshot(
        now,
        tx.sql(PAYMENTS).set(home).list(MoneyTables::payment),
        tx.sql(TRANSITIONS)
            .set(home)
            .list(
                row ->
                    new Transition(
                        row.textAt(1),
                        row.intAt(2),
                        PaymentStatus.ofNumber(row.intAt(3)),
                        PaymentStatus.ofNumber(row.intAt(4)))),
        tx.sql(APPLICATIONS).set(home).list(MoneyTables::application),
        tx.sql(PROVIDER_PAYMENTS)
            .set(home)
            .list(
                row ->
                    new ProviderPayment(
                        row.textAt(1),
                        row.booleanAt(2),
                        row.longAt(3),
                        row.textAt(4),
                        row.longAt(5))),
        tx.sql(PROVIDER_REFUNDS)
            .set(home)
            .list(row -> new ProviderRefund(row.textAt(1), row.longAt(2))),
        tx.sql(ACCOUNTS)
            .set(home)
            .list(row -> new Account(row.textAt(1), row.textAt(2), row.longAt(3))),
        tx.sql(LEGS).set(home).list(MoneyTables::leg),
        tx.sql(TARGETS).set(home).list(MoneyTables::target),
        tx.sql(PROMOTIONS).set(home).list(MoneyTables::promotion),
        tx.sql(EXPIRIES)
            .set(home)
            .list(row -> new Expiry(row.textAt(1), row.textAt(2), row.instantAt(3))),
        count(tx, SENDING, home) + count(tx, RECEIVED, home));
  }

  private static long count(Tx tx, String sql, Home home) throws SQLException {
    return tx.sql(sql).set(home).first(row -> row.longAt(1)).orElseThrow();
  }

  private static Payment payment(Row row) throws SQLException {
    String currency = row.textAt(8);
    PaymentBody body =
        StoredProto.parse(PaymentBody.parser(), row.bytesAt(12), "the body of a payment");
    return new Payment(
        row.textAt(1),
        row.textAt(2),
        row.textAt(3),
        row.textAt(4),
        PaymentStatus.ofNumber(row.intAt(5)),
        row.textAt(6),
        row.longAt(7),
        currency,
        row.longAt(9),
        row.longAt(10),
        row.intAt(11),
        lines(body, currency));
  }

  private static List<PaymentLine> lines(PaymentBody body, String currency) {
    return body.getLinesList().stream()
        .map(
            line ->
                new PaymentLine(
                    line.getLabel(),
                    new Money(line.getAmount(), currency),
                    line.getServicesList().stream()
                        .map(
                            term ->
                                new ServiceTerm(
                                    term.getService(),
                                    Duration.ofSeconds(term.getDurationSeconds()),
                                    term.getExtendable()))
                        .toList()))
        .toList();
  }

  private static Application application(Row row) throws SQLException {
    return new Application(
        row.textAt(1),
        row.textAt(2),
        Outcome.values()[row.intAt(3) - 1],
        row.longAt(4),
        row.instantAt(5));
  }

  private static Leg leg(Row row) throws SQLException {
    return new Leg(
        row.textAt(1),
        row.textAt(2),
        row.longAt(3),
        row.booleanAt(4),
        EntryKind.values()[row.intAt(5) - 1],
        row.longAt(6),
        row.textAt(7),
        row.optionalTextAt(8),
        row.textAt(9),
        row.instantAt(10));
  }

  private static Target target(Row row) throws SQLException {
    Status status = Optional.ofNullable(Status.forNumber(row.intAt(2))).orElse(Status.UNRECOGNIZED);
    return new Target(row.textAt(1), !new EntityState(status, 0, "").isPromotable());
  }

  private static Promotion promotion(Row row) throws SQLException {
    return new Promotion(
        row.textAt(1), row.textAt(2), row.instantAt(3), row.instantAt(4), row.textAt(5));
  }
}
