package dev.torg.promotions.provider;

import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import java.util.List;

/// What a person is asked to pay. The sum of the lines is the total.
///
/// @param description shown to the payer, such as the title of the offer
/// @param returnUrl where the payer goes afterwards; empty if nowhere
public record CheckoutRequest(
    PaymentId paymentId,
    Money total,
    List<CheckoutLine> lines,
    String description,
    String returnUrl) {
  public CheckoutRequest {
    lines = List.copyOf(lines);
    if (lines.isEmpty() || total.amount() == 0) {
      throw new IllegalArgumentException("a checkout has lines and a total above zero");
    }
    long sum = 0;
    for (CheckoutLine line : lines) {
      if (!line.amount().currency().equals(total.currency())) {
        throw new IllegalArgumentException("a line has another currency than the total");
      }
      sum = Math.addExact(sum, line.amount().amount());
    }
    if (sum != total.amount()) {
      throw new IllegalArgumentException("the lines do not add up to the total");
    }
  }
}
