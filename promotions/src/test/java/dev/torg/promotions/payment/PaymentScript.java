package dev.torg.promotions.payment;

import static dev.torg.promotions.payment.PaymentsFixture.DAY;
import static dev.torg.promotions.payment.PaymentsFixture.line;

import com.google.protobuf.ByteString;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import dev.torg.platform.lease.Lease;
import dev.torg.promotions.NewPayment;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.ledger.TopUpHandler;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// What happens to the payments of one seller, from purchase to expiry. Each step may be repeated by another process: that
/// is what clients, the provider and jobs do.
record PaymentScript(String seller, List<OfferId> offers) {
  private static final Caller ADMIN = new Caller("user:admin", Set.of(Role.ADMIN));
  private static final int SETTLE_ROUNDS = 5;

  void run(PaymentsFixture torg, Lease lease) {
    PaymentId two = buy(torg, offers.getFirst(), "two", line("raise", 300), line("premium", 500));
    PaymentId racing = buy(torg, offers.getFirst(), "racing", line("premium", 500));
    PaymentId returned = buy(torg, offers.getLast(), "returned", line("raise", 300));
    PaymentId topUp = topUp(torg);
    pay(torg, two);
    pay(torg, racing);
    var _ = torg.checkPayments.run(lease, torg.clock.instant());
    pay(torg, returned);
    pay(torg, topUp);
    if (torg.payment(returned).status() == PaymentStatus.APPLIED) {
      var _ = torg.payments.refund(returned, "sorry", ADMIN);
    }
    var _ = torg.checkPayments.run(lease, torg.clock.instant());
    torg.clock.advance(DAY);
    var _ = torg.expire.run(lease, torg.clock.instant());
  }

  private PaymentId buy(PaymentsFixture torg, OfferId offer, String key, PaymentLine... lines) {
    return torg.purchase(seller, offer, key, lines).id();
  }

  private PaymentId topUp(PaymentsFixture torg) {
    return torg.payments
        .create(
            new NewPayment(
                seller,
                TopUpHandler.PURPOSE,
                "",
                "top-up",
                "top-up",
                "Top-up",
                List.of(PaymentLine.of("Top-up", new Money(1_000, "EUR")))))
        .id();
  }

  /// The person pays; the webhook is stored and processed.
  private static void pay(PaymentsFixture torg, PaymentId id) {
    ByteString body = torg.provider.pay(id, "paid-" + id);
    torg.webhook(body);
    var event = torg.provider.read(body);
    torg.processor.process(
        List.of(
            ReceivedWebhook.of("scripted", event, body, torg.clock.instant())
                .report(event)
                .orElseThrow()));
  }

  /// Time passes, and the jobs run until nothing is left to do.
  void settle(PaymentsFixture torg, Lease lease) {
    for (int i = 0; i < SETTLE_ROUNDS; i++) {
      torg.clock.advance(Duration.ofHours(2));
      var _ = torg.processWebhooks.run(lease, torg.clock.instant());
      var _ = torg.checkPayments.run(lease, torg.clock.instant());
    }
    torg.clock.advance(DAY);
    var _ = torg.expire.run(lease, torg.clock.instant());
  }
}
