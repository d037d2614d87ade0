package dev.torg.promotions.ledger;

import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.promotions.CreatedPayment;
import dev.torg.promotions.NewPayment;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.Payments;
import java.util.List;

/// Creates payments that top up balances. Blocks.
public final class TopUpService {
  /// Ten billion euros in cents: a thousandth of what a balance holds.
  private static final long MAX_AMOUNT = 1_000_000_000_000L;

  private static final String DESCRIPTION = "Top-up of the balance";

  private final Payments payments;

  public TopUpService(Payments payments) {
    this.payments = payments;
  }

  /// The same key always returns the same payment.
  public CreatedPayment create(String seller, Money amount, String idempotencyKey) {
    if (amount.amount() < 1 || amount.amount() > MAX_AMOUNT) {
      throw Failure.invalid(
          "balance.amount", "bad amount", "amount.amount", "must be between 1 and " + MAX_AMOUNT);
    }
    return payments.create(
        new NewPayment(
            seller,
            TopUpHandler.PURPOSE,
            seller,
            idempotencyKey,
            amount.amount() + " " + amount.currency(),
            DESCRIPTION,
            List.of(PaymentLine.of(DESCRIPTION, amount))));
  }
}
