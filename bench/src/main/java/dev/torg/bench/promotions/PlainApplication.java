package dev.torg.bench.promotions;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.PromotionEvent;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.PromotionTopics;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The rows that Torg writes for a webhook that a payment was made, statement by statement: the webhook, the payment with
/// its two transitions, the outcome, the active service and its end, the target, the bell, and the event.
final class PlainApplication {
  private static final String SERVICE = "raise";
  private static final Duration DURATION = Duration.ofDays(1);
  private static final String TOPIC = "promotions";

  private static final String WEBHOOK =
      """
      INSERT INTO payment_webhook (home, provider, event_id, payment_id, received_at, processed_at, attempts, outcome, body)
      VALUES (?, 'plain', ?, ?, ?, ?, 0, 1, ?) ON CONFLICT DO NOTHING RETURNING 1
      """;

  private static final String LOCK_PAYMENT =
      "SELECT status, payer, reference, total, currency FROM payment WHERE home = ? AND id = ? FOR UPDATE";

  private static final String UPDATE_PAYMENT =
      """
      UPDATE payment SET status = ?, audits = audits + 2, check_at = NULL, updated_at = ? WHERE home = ? AND id = ?
      """;

  private static final String AUDIT =
      """
      INSERT INTO payment_audit (home, payment_id, n, from_status, to_status, at, cause, detail)
      VALUES (?, ?, ?, ?, ?, ?, 'plain', '')
      """;

  private static final String OFFER =
      "SELECT body FROM offer WHERE home = ? AND id = ? AND kind = 'offer'";

  private static final String LOCK_TARGET =
      """
      SELECT seq FROM promotion_target WHERE home = ? AND entity_type = 'offer' AND entity_id = ? FOR UPDATE
      """;

  private static final String ACTIVE =
      """
      SELECT service FROM promotion WHERE home = ? AND entity_type = 'offer' AND entity_id = ?
      """;

  private static final String UPDATE_TARGET =
      """
      UPDATE promotion_target SET seq = ?, raised_at = ? WHERE home = ? AND entity_type = 'offer' AND entity_id = ?
      """;

  private static final String PROMOTION =
      """
      INSERT INTO promotion (home, entity_type, entity_id, service, since, until, source) VALUES (?, 'offer', ?, ?, ?, ?, ?)
      """;

  private static final String EXPIRY =
      """
      INSERT INTO promotion_expiry (home, run_at, entity_type, entity_id, service) VALUES (?, ?, 'offer', ?, ?)
      """;

  private static final String APPLICATION =
      """
      INSERT INTO promotion_application (home, payment_id, service, outcome, amount, at) VALUES (?, ?, ?, 1, ?, ?)
      """;

  private static final String BELL =
      """
      INSERT INTO bell (home, owner, seq) VALUES (?, ?, ?)
      ON CONFLICT (home, owner) DO UPDATE SET seq = greatest(bell.seq + 1, excluded.seq) RETURNING seq
      """;

  private static final String ENTRY =
      """
      INSERT INTO notification (home, owner, id, seq, key, topic, created_at, read, size, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, false, 1, ?)
      """;

  private static final String UNREAD =
      """
      INSERT INTO unread (home, owner, topic, count) VALUES (?, ?, ?, 1)
      ON CONFLICT (home, owner, topic) DO UPDATE SET count = unread.count + 1
      """;

  private final Outbox outbox;

  private record Payment(PaymentStatus status, String payer, String reference, long total) {}

  PlainApplication(Outbox outbox) {
    this.outbox = outbox;
  }

  void apply(Tx tx, JsonNode event, byte[] body) throws SQLException {
    PaymentId id = new PaymentId(event.path("payment").path("id").asText());
    Instant now = Instant.now();
    if (!isNew(tx, id, event.path("id").asText(), body, now)) {
      return;
    }
    Payment payment =
        tx.sql(LOCK_PAYMENT)
            .set(id.home())
            .set(id.text())
            .first(
                row ->
                    new Payment(
                        PaymentStatus.ofNumber(row.intAt(1)),
                        row.textAt(2),
                        row.textAt(3),
                        row.longAt(4)))
            .orElseThrow();
    boolean isPaid =
        payment.status() == PaymentStatus.PENDING
            && payment.total() == event.path("payment").path("amount").asLong();
    OfferId offer = OfferId.parse(payment.reference());
    if (isPaid && isPromotable(tx, offer)) {
      paid(tx, id, now);
      activate(tx, id, payment, offer, now);
      notify(tx, id, payment.payer(), now);
    }
  }

  private static boolean isNew(Tx tx, PaymentId id, String event, byte[] body, Instant now)
      throws SQLException {
    return tx.sql(WEBHOOK)
        .set(id.home())
        .set(event)
        .set(id.text())
        .set(now)
        .set(now)
        .set(body)
        .first(_ -> true)
        .isPresent();
  }

  private static boolean isPromotable(Tx tx, OfferId offer) throws SQLException {
    Offer stored =
        tx.sql(OFFER)
            .set(offer.home())
            .set(offer.number())
            .first(row -> StoredProto.parse(Offer.parser(), row.bytesAt(1), "offer"))
            .orElseThrow();
    return stored.getStatus() == Offer.Status.ACTIVE;
  }

  private static void paid(Tx tx, PaymentId id, Instant now) throws SQLException {
    audit(tx, id, 2, PaymentStatus.PENDING, PaymentStatus.PAID, now);
    audit(tx, id, 3, PaymentStatus.PAID, PaymentStatus.APPLIED, now);
    tx.sql(UPDATE_PAYMENT)
        .set(PaymentStatus.APPLIED.number())
        .set(now)
        .set(id.home())
        .set(id.text())
        .update();
  }

  private static void audit(
      Tx tx, PaymentId id, int n, PaymentStatus from, PaymentStatus to, Instant now)
      throws SQLException {
    tx.sql(AUDIT)
        .set(id.home())
        .set(id.text())
        .set(n)
        .set(from.number())
        .set(to.number())
        .set(now)
        .update();
  }

  private void activate(Tx tx, PaymentId id, Payment payment, OfferId offer, Instant now)
      throws SQLException {
    Home home = offer.home();
    String entity = offer.toString();
    long before =
        tx.sql(LOCK_TARGET).set(home).set(entity).first(row -> row.longAt(1)).orElseThrow();
    List<String> active = tx.sql(ACTIVE).set(home).set(entity).list(row -> row.textAt(1));
    if (active.contains(SERVICE)) {
      throw new IllegalStateException("the benchmark promotes each offer once");
    }
    Instant until = now.plus(DURATION);
    long seq = Math.max(before + 1, EpochMicros.of(now));
    tx.sql(UPDATE_TARGET).set(seq).set(now).set(home).set(entity).update();
    tx.sql(PROMOTION)
        .set(home)
        .set(entity)
        .set(SERVICE)
        .set(now)
        .set(until)
        .set(id.text())
        .update();
    tx.sql(EXPIRY).set(home).set(until).set(entity).set(SERVICE).update();
    tx.sql(APPLICATION)
        .set(id.home())
        .set(id.text())
        .set(SERVICE)
        .set(payment.total())
        .set(now)
        .update();
    outbox.append(tx, List.of(event(offer, payment.payer(), seq, now, until)));
  }

  private static OutboxMessage event(
      OfferId offer, String seller, long seq, Instant now, Instant until) {
    PromotionEvent.Builder event =
        PromotionEvent.newBuilder()
            .setEntityType("offer")
            .setEntityId(offer.toString())
            .setSellerId(seller)
            .setSeq(seq)
            .setAt(EpochMicros.timestamp(now))
            .setRaisedAt(EpochMicros.timestamp(now));
    event
        .addServicesBuilder()
        .setService(SERVICE)
        .setSince(EpochMicros.timestamp(now))
        .setUntil(EpochMicros.timestamp(until));
    return new OutboxMessage(
        offer.home(),
        seq,
        PromotionTopics.PROMOTIONS,
        "offer:" + offer,
        event.build().toByteArray());
  }

  private static void notify(Tx tx, PaymentId id, String payer, Instant now) throws SQLException {
    long seq =
        tx.sql(BELL)
            .set(id.home())
            .set(payer)
            .set(EpochMicros.of(now))
            .first(row -> row.longAt(1))
            .orElseThrow();
    Notification content =
        Notification.newBuilder()
            .setTitle("Your payment was applied")
            .setText("raise is active.")
            .build();
    tx.sql(ENTRY)
        .set(id.home())
        .set(payer)
        .set(seq)
        .set(seq)
        .set("payment:" + id)
        .set(TOPIC)
        .set(now)
        .set(content.toByteArray())
        .update();
    tx.sql(UNREAD).set(id.home()).set(payer).set(TOPIC).update();
  }
}
