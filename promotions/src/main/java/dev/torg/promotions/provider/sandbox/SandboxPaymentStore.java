package dev.torg.promotions.provider.sandbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.provider.CheckoutLine;
import dev.torg.promotions.provider.CheckoutRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// SQL over the payments of the sandbox and their refunds. A payment is locked before it is changed or refunded.
final class SandboxPaymentStore {
  private static final String INSERT =
      """
      INSERT INTO sandbox_payment (home, id, status, events, amount, refunded, currency, description, return_url,
                                   lines, created_at, updated_at)
      VALUES (?, ?, ?, 0, ?, 0, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (home, id) DO NOTHING
      """;

  private static final String SELECT =
      """
      SELECT id, status, events, amount, currency, refunded, description, return_url, lines
        FROM sandbox_payment WHERE home = ? AND id = ?
      """;

  private static final String LOCK = SELECT + " FOR UPDATE";

  private static final String UPDATE =
      """
      UPDATE sandbox_payment SET status = ?, events = ?, refunded = ?, updated_at = ?
       WHERE home = ? AND id = ?
      """;

  private static final String INSERT_REFUND =
      """
      INSERT INTO sandbox_refund (home, payment_id, refund_key, amount, at) VALUES (?, ?, ?, ?, ?)
      """;

  private static final String SELECT_REFUND =
      """
      SELECT amount FROM sandbox_refund WHERE home = ? AND payment_id = ? AND refund_key = ?
      """;

  private static final String LOCK_OLD =
      """
      SELECT id FROM sandbox_payment WHERE home = ? AND updated_at < ? ORDER BY id LIMIT ? FOR UPDATE
      """;

  private static final BatchColumns<PaymentId> IDS =
      BatchColumns.of(PaymentId::home).texts("id", PaymentId::text);

  private static final BatchSql<PaymentId> DELETE_REFUNDS =
      IDS.sql(
          """
          DELETE FROM sandbox_refund r USING :batch(k)
           WHERE r.home = k.home AND r.payment_id = k.id AND :shard(r)
          """);

  private static final BatchSql<PaymentId> DELETE =
      IDS.sql(
          """
          DELETE FROM sandbox_payment p USING :batch(k)
           WHERE p.home = k.home AND p.id = k.id AND :shard(p)
          """);

  private static final JsonMapper JSON = new JsonMapper();

  /// Without effect if the payment exists.
  void insert(Tx tx, CheckoutRequest request, Instant now) throws SQLException {
    tx.sql(INSERT)
        .set(request.paymentId().home())
        .set(request.paymentId().text())
        .set(SandboxStatus.PENDING.number())
        .set(request.total().amount())
        .set(request.total().currency())
        .set(request.description())
        .set(request.returnUrl())
        .set(json(request.lines()))
        .set(now)
        .set(now)
        .update();
  }

  Optional<SandboxPayment> find(Tx tx, PaymentId id) throws SQLException {
    return tx.sql(SELECT).set(id.home()).set(id.text()).first(SandboxPaymentStore::payment);
  }

  Optional<SandboxPayment> lock(Tx tx, PaymentId id) throws SQLException {
    return tx.sql(LOCK).set(id.home()).set(id.text()).first(SandboxPaymentStore::payment);
  }

  void update(Tx tx, SandboxPayment payment, Instant now) throws SQLException {
    tx.sql(UPDATE)
        .set(payment.status().number())
        .set(payment.events())
        .set(payment.refunded())
        .set(now)
        .set(payment.id().home())
        .set(payment.id().text())
        .update();
  }

  /// The amount of the refund with this key.
  Optional<Long> findRefund(Tx tx, PaymentId id, String refundKey) throws SQLException {
    return tx.sql(SELECT_REFUND)
        .set(id.home())
        .set(id.text())
        .set(refundKey)
        .first(row -> row.longAt(1));
  }

  void insertRefund(Tx tx, PaymentId id, String refundKey, long amount, Instant now)
      throws SQLException {
    tx.sql(INSERT_REFUND)
        .set(id.home())
        .set(id.text())
        .set(refundKey)
        .set(amount)
        .set(now)
        .update();
  }

  List<PaymentId> lockOld(Tx tx, Home home, Instant before, int limit) throws SQLException {
    return tx.sql(LOCK_OLD)
        .set(home)
        .set(before)
        .set(limit)
        .list(row -> new PaymentId(row.textAt(1)));
  }

  /// With their refunds.
  void delete(Tx tx, List<PaymentId> ids) throws SQLException {
    tx.sql(DELETE_REFUNDS, ids).update();
    tx.sql(DELETE, ids).update();
  }

  private static SandboxPayment payment(Row row) throws SQLException {
    String currency = row.textAt(5);
    return new SandboxPayment(
        new PaymentId(row.textAt(1)),
        SandboxStatus.ofNumber(row.intAt(2)),
        row.intAt(3),
        new Money(row.longAt(4), currency),
        row.longAt(6),
        row.textAt(7),
        row.textAt(8),
        lines(row.textAt(9), currency));
  }

  private static String json(List<CheckoutLine> lines) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    lines.forEach(
        line -> array.addObject().put("label", line.label()).put("amount", line.amount().amount()));
    return array.toString();
  }

  private static List<CheckoutLine> lines(String json, String currency) {
    List<CheckoutLine> lines = new ArrayList<>();
    try {
      for (JsonNode line : JSON.readTree(json)) {
        lines.add(
            new CheckoutLine(
                line.path("label").asText(), new Money(line.path("amount").longValue(), currency)));
      }
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a payment of the sandbox has no lines", e);
    }
    return lines;
  }
}
