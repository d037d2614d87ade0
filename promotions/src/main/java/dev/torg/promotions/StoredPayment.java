package dev.torg.promotions;

import dev.torg.platform.Home;
import dev.torg.platform.Money;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A payment as stored.
///
/// @param payer the subject that pays
/// @param purpose of the [PaymentHandler] that decides what the payment does
/// @param reference what is paid for, in the terms of the purpose
/// @param providerReference the provider's id of the payment; empty until the provider has it
/// @param refundDue to be returned and not confirmed by the provider yet
/// @param refunded was returned
/// @param reason why it was refunded or declined
public record StoredPayment(
    PaymentId id,
    String payer,
    String purpose,
    String reference,
    PaymentStatus status,
    String provider,
    Optional<String> providerReference,
    Optional<String> url,
    Money total,
    long refundDue,
    long refunded,
    Optional<String> reason,
    Instant createdAt,
    String description,
    List<PaymentLine> lines) {
  public StoredPayment {
    lines = List.copyOf(lines);
  }

  public Home home() {
    return id.home();
  }

  /// What can still be returned.
  public long refundable() {
    return total.amount() - refundDue - refunded;
  }
}
