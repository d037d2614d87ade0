package dev.torg.promotions.provider.sandbox;

import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.platform.db.CommitUnknown;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.TransactionBody;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.SandboxCheckout;
import dev.torg.promotions.SandboxCheckouts;
import dev.torg.promotions.provider.CheckoutRequest;
import dev.torg.promotions.provider.RefundResult;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/// The payments of the sandbox. A change and the webhooks that report it commit together. Blocks on the database.
final class SandboxPayments implements SandboxCheckouts {
  private final Database database;
  private final WebhookSchedule schedule;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final SandboxPaymentStore payments = new SandboxPaymentStore();
  private final SandboxWebhookStore webhooks = new SandboxWebhookStore();

  SandboxPayments(
      Database database, WebhookSchedule schedule, InstantSource clock, RandomGenerator random) {
    this.database = database;
    this.schedule = schedule;
    this.clock = clock;
    this.random = random;
  }

  @Override
  public Optional<SandboxCheckout> find(PaymentId id) {
    return findPayment(id).map(SandboxPayment::checkout);
  }

  Optional<SandboxPayment> findPayment(PaymentId id) {
    return database.read(tx -> payments.find(tx, id));
  }

  @Override
  public SandboxCheckout pay(PaymentId id) {
    return act(id, SandboxAction.PAY).checkout();
  }

  @Override
  public SandboxCheckout decline(PaymentId id) {
    return act(id, SandboxAction.DECLINE).checkout();
  }

  private SandboxPayment act(PaymentId id, SandboxAction action) {
    return change(
        tx -> {
          SandboxPayment before = payments.lock(tx, id).orElseThrow(SandboxPayments::notFound);
          Optional<SandboxPayment> after = before.after(action);
          if (after.isPresent()) {
            update(tx, after.get());
          }
          return after.orElse(before);
        });
  }

  private static Failure notFound() {
    return Failure.notFound("sandbox-payment.not-found", "the sandbox has no such payment");
  }

  /// Creates a payment, or returns the one that exists.
  SandboxPayment create(CheckoutRequest request) {
    SandboxPayment payment =
        change(
            tx -> {
              payments.insert(tx, request, clock.instant());
              return payments.find(tx, request.paymentId()).orElseThrow();
            });
    if (!payment.total().equals(request.total())) {
      throw Failure.conflict(
          "payment-provider.conflict", "the payment provider has this payment with another total");
    }
    return payment;
  }

  RefundResult refund(PaymentId id, Money amount, String refundKey) {
    return change(
        tx -> {
          Optional<SandboxPayment> before = payments.lock(tx, id);
          return before.isEmpty()
              ? RefundResult.refused("unknown-payment")
              : refund(tx, before.get(), amount, refundKey);
        });
  }

  private RefundResult refund(Tx tx, SandboxPayment before, Money amount, String refundKey)
      throws SQLException {
    Optional<Long> former = payments.findRefund(tx, before.id(), refundKey);
    if (former.isPresent()) {
      return former.get() == amount.amount()
          ? RefundResult.refunded(refundKey)
          : RefundResult.refused("refund-key-reused");
    }
    Optional<SandboxPayment> after = before.afterRefund(amount);
    if (after.isEmpty()) {
      return RefundResult.refused("not-refundable");
    }
    update(tx, after.get());
    payments.insertRefund(tx, before.id(), refundKey, amount.amount(), clock.instant());
    return RefundResult.refunded(refundKey);
  }

  private void update(Tx tx, SandboxPayment payment) throws SQLException {
    Instant now = clock.instant();
    payments.update(tx, payment, now);
    webhooks.add(tx, webhooks(payment, now));
  }

  private List<SandboxWebhook> webhooks(SandboxPayment payment, Instant now) {
    String body = SandboxEvent.json(payment, now);
    List<SandboxWebhook> calls = new ArrayList<>();
    for (Instant time : schedule.times(now, random)) {
      calls.add(
          new SandboxWebhook(payment.id().home(), payment.eventId(), calls.size(), 0, time, body));
    }
    return calls;
  }

  /// Each change is idempotent, so a caller that does not know its outcome repeats it.
  private <T> T change(TransactionBody<T> body) {
    try {
      return database.inTransaction(body);
    } catch (CommitUnknown e) {
      throw Failure.unavailable(
          "payment-provider.unavailable", "the payment provider did not answer", e);
    }
  }
}
