package dev.torg.promotions;

import dev.torg.platform.Home;
import dev.torg.platform.Money;
import java.util.List;

/// A payment to be created.
///
/// @param payer the subject that pays; the payment is in its home
/// @param purpose of a [PaymentHandler]
/// @param reference what is paid for, in the terms of the purpose, such as an offer id
/// @param idempotencyKey with payer and purpose the identity of the payment
/// @param request identifies the content of the request: the same key with another one is a conflict
/// @param description shown to the payer
public record NewPayment(
    String payer,
    String purpose,
    String reference,
    String idempotencyKey,
    String request,
    String description,
    List<PaymentLine> lines) {
  public NewPayment {
    lines = List.copyOf(lines);
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("a payment has lines");
    }
  }

  public PaymentId id() {
    return PaymentId.of(Home.of(payer), payer, purpose, idempotencyKey);
  }

  public Money total() {
    long sum = 0;
    for (PaymentLine line : lines) {
      sum = Math.addExact(sum, line.amount().amount());
    }
    return new Money(sum, lines.getFirst().amount().currency());
  }
}
