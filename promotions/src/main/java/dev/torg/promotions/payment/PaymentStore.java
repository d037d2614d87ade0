package dev.torg.promotions.payment;

import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.NewPayment;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.StoredPayment;
import dev.torg.promotions.stored.PaymentBody;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// SQL over payments and their audit, in the home of the payer. A transaction locks payments in key order before it changes
/// them.
final class PaymentStore {
  private static final String COLUMNS =
      """
      p.id, p.payer, p.purpose, p.reference, p.status, p.provider, p.provider_reference, p.url, p.total, p.currency,
      p.refund_due, p.refunded, p.reason, p.created_at, p.body, p.audits, p.attempts, p.check_at
      """;

  private static final BatchColumns<PaymentId> IDS =
      BatchColumns.of(PaymentId::home).texts("id", PaymentId::text);

  private static final String INSERT =
      """
      INSERT INTO payment (home, status, attempts, audits, total, refund_due, refunded, created_at, updated_at, id, payer,
                           purpose, reference, provider, currency, request_hash, body)
      VALUES (?, ?, 0, 0, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (home, id) DO NOTHING
      """;

  private static final String REQUEST_HASH =
      "SELECT request_hash FROM payment WHERE home = ? AND id = ?";

  private static final BatchSql<PaymentId> FIND =
      IDS.sql(
          "SELECT "
              + COLUMNS
              + " FROM :batch(k) JOIN payment p ON p.home = k.home AND p.id = k.id WHERE :shard(p)");

  private static final BatchSql<PaymentId> LOCK =
      IDS.sql(
          "SELECT "
              + COLUMNS
              + " FROM :batch(k) JOIN payment p ON p.home = k.home AND p.id = k.id WHERE :shard(p)"
              + " ORDER BY p.home, p.id FOR UPDATE OF p");

  private static final BatchSql<PaymentRow> UPDATE =
      BatchColumns.<PaymentRow>of(row -> row.payment().home())
          .texts("id", row -> row.payment().id().text())
          .ints("status", row -> row.payment().status().number())
          .ints("attempts", PaymentRow::attempts)
          .ints("audits", PaymentRow::audits)
          .longs("refund_due", row -> row.payment().refundDue())
          .longs("refunded", row -> row.payment().refunded())
          .instants("check_at", row -> row.checkAt().orElse(null))
          .texts("provider_reference", row -> row.payment().providerReference().orElse(null))
          .texts("url", row -> row.payment().url().orElse(null))
          .texts("reason", row -> row.payment().reason().orElse(null))
          .sql(
              """
              UPDATE payment p
                 SET status = k.status, attempts = k.attempts, audits = k.audits, refund_due = k.refund_due,
                     refunded = k.refunded, check_at = k.check_at, provider_reference = k.provider_reference,
                     url = k.url, reason = k.reason, updated_at = ?
                FROM :batch(k)
               WHERE p.home = k.home AND p.id = k.id AND :shard(p)
              """);

  private static final BatchSql<AuditEntry> INSERT_AUDIT =
      BatchColumns.<AuditEntry>of(entry -> entry.payment().home())
          .texts("payment_id", entry -> entry.payment().text())
          .ints("n", AuditEntry::n)
          .ints("from_status", entry -> entry.from().number())
          .ints("to_status", entry -> entry.to().number())
          .instants("at", AuditEntry::at)
          .texts("cause", AuditEntry::cause)
          .texts("detail", AuditEntry::detail)
          .sql(
              """
              INSERT INTO payment_audit (home, payment_id, n, from_status, to_status, at, cause, detail)
              SELECT k.home, k.payment_id, k.n, k.from_status, k.to_status, k.at, k.cause, k.detail FROM :rows(k)
               ORDER BY k.home, k.payment_id, k.n
              """);

  private static final String LIST =
      "SELECT "
          + COLUMNS
          + """
            FROM payment p WHERE p.home = ? AND p.payer = ? AND (p.created_at, p.id) < (?, ?)
           ORDER BY p.created_at DESC, p.id DESC LIMIT ?
          """;

  private static final BatchSql<Home> HOMES_DUE =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM payment p WHERE p.home = k.home AND p.check_at <= ? AND :shard(p))
              """);

  private static final String DUE =
      "SELECT "
          + COLUMNS
          + " FROM payment p WHERE p.home = ? AND p.check_at <= ? ORDER BY p.check_at, p.id LIMIT ?";

  /// Returns whether the payment is new.
  boolean insert(Tx tx, NewPayment payment, String provider, byte[] requestHash, Instant now)
      throws SQLException {
    PaymentId id = payment.id();
    return tx.sql(INSERT)
            .set(id.home())
            .set(PaymentStatus.PENDING.number())
            .set(payment.total().amount())
            .set(now)
            .set(now)
            .set(id.text())
            .set(payment.payer())
            .set(payment.purpose())
            .set(payment.reference())
            .set(provider)
            .set(payment.total().currency())
            .set(requestHash)
            .set(PaymentBodies.encode(payment).toByteArray())
            .update()
        > 0;
  }

  Optional<byte[]> requestHash(Tx tx, PaymentId id) throws SQLException {
    return tx.sql(REQUEST_HASH).set(id.home()).set(id.text()).first(row -> row.bytesAt(1));
  }

  Map<PaymentId, PaymentRow> find(Tx tx, Collection<PaymentId> ids) throws SQLException {
    return byId(tx.sql(FIND, List.copyOf(ids)).list(PaymentStore::row));
  }

  /// The payments that exist, locked, in key order.
  Map<PaymentId, PaymentInTransaction> lock(Tx tx, Collection<PaymentId> ids, Instant now)
      throws SQLException {
    List<PaymentId> sorted = ids.stream().distinct().sorted().toList();
    Map<PaymentId, PaymentInTransaction> locked = new LinkedHashMap<>();
    tx.sql(LOCK, sorted)
        .list(PaymentStore::row)
        .forEach(row -> locked.put(row.payment().id(), new PaymentInTransaction(row, now)));
    return locked;
  }

  /// Writes what has changed, with the audit.
  void write(Tx tx, Collection<PaymentInTransaction> payments, Instant now) throws SQLException {
    List<PaymentRow> changed = new ArrayList<>();
    List<AuditEntry> audit = new ArrayList<>();
    for (PaymentInTransaction payment : payments) {
      if (payment.isChanged()) {
        changed.add(payment.row());
        audit.addAll(payment.audit());
      }
    }
    changed.sort(Comparator.comparing(row -> row.payment().id()));
    tx.sql(UPDATE, changed).set(now).update();
    tx.sql(INSERT_AUDIT, audit).update();
  }

  /// The payments of a payer before this position, newest first.
  List<StoredPayment> list(Tx tx, String payer, PaymentCursor before, int limit)
      throws SQLException {
    return tx.sql(LIST)
        .set(Home.of(payer))
        .set(payer)
        .set(before.createdAt())
        .set(before.id())
        .set(limit)
        .list(row -> row(row).payment());
  }

  List<Home> homesDue(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_DUE, homes).set(now).list(row -> row.homeAt(1));
  }

  /// Payments that wait for a job, longest first.
  List<PaymentRow> due(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(DUE).set(home).set(now).set(limit).list(PaymentStore::row);
  }

  private static Map<PaymentId, PaymentRow> byId(List<PaymentRow> rows) {
    Map<PaymentId, PaymentRow> byId = new LinkedHashMap<>();
    rows.forEach(row -> byId.put(row.payment().id(), row));
    return byId;
  }

  private static PaymentRow row(Row row) throws SQLException {
    String currency = row.textAt(10);
    PaymentBody body = StoredProto.parse(PaymentBody.parser(), row.bytesAt(15), "payment");
    StoredPayment payment =
        new StoredPayment(
            new PaymentId(row.textAt(1)),
            row.textAt(2),
            row.textAt(3),
            row.textAt(4),
            PaymentStatus.ofNumber(row.intAt(5)),
            row.textAt(6),
            row.optionalTextAt(7),
            row.optionalTextAt(8),
            new Money(row.longAt(9), currency),
            row.longAt(11),
            row.longAt(12),
            row.optionalTextAt(13).filter(reason -> !reason.isEmpty()),
            row.instantAt(14),
            body.getDescription(),
            PaymentBodies.lines(body, currency));
    return new PaymentRow(payment, row.intAt(16), row.intAt(17), row.optionalInstantAt(18));
  }
}
