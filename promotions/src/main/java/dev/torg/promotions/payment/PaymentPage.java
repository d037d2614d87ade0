package dev.torg.promotions.payment;

import dev.torg.promotions.StoredPayment;
import java.util.List;

/// A page of payments.
///
/// @param nextPageToken empty at the end
public record PaymentPage(List<StoredPayment> payments, String nextPageToken) {
  public PaymentPage {
    payments = List.copyOf(payments);
  }
}
