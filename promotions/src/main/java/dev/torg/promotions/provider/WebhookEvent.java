package dev.torg.promotions.provider;

import dev.torg.platform.Money;
import dev.torg.promotions.PaymentId;
import java.util.Optional;

/// What a provider reports about a payment. The same event can arrive any number of times, and events in any order.
///
/// @param eventId the provider's id of the event, the same in each repetition
/// @param paymentId empty if the event does not name one of Torg's
/// @param providerReference the provider's id of the payment; empty if the event does not name it
/// @param amount paid or returned; must be compared with what was expected. Empty if the event has none
public record WebhookEvent(
    String eventId,
    Kind kind,
    Optional<PaymentId> paymentId,
    String providerReference,
    Optional<Money> amount) {
  public enum Kind {
    PAID,
    DECLINED,
    /// All or some of the money was returned; the amount is what was returned so far.
    REFUNDED,
    /// Of no consequence here.
    OTHER
  }
}
