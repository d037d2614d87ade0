package dev.torg.promotions.payment;

import dev.torg.platform.EpochMicros;
import dev.torg.platform.PageToken;
import dev.torg.promotions.StoredPayment;
import java.time.Instant;

/// A position in a payer's payments, newest first: the next page begins after it.
record PaymentCursor(Instant createdAt, String id) {
  private static final PaymentCursor START = new PaymentCursor(PageToken.LATEST, "");

  static PaymentCursor after(StoredPayment payment) {
    return new PaymentCursor(payment.createdAt(), payment.id().text());
  }

  static PaymentCursor parse(String token) {
    if (token.isEmpty()) {
      return START;
    }
    int dot = token.indexOf('.');
    if (dot < 0) {
      throw PageToken.invalid();
    }
    try {
      return new PaymentCursor(
          PageToken.time(Long.parseLong(token.substring(0, dot), Character.MAX_RADIX)),
          PageToken.text(token.substring(dot + 1)));
    } catch (NumberFormatException e) {
      throw PageToken.invalid();
    }
  }

  String token() {
    return Long.toString(EpochMicros.of(createdAt), Character.MAX_RADIX) + "." + id;
  }
}
