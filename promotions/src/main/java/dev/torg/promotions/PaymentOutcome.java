package dev.torg.promotions;

/// What a purpose did with a payment that was paid.
public sealed interface PaymentOutcome {
  /// Everything was delivered.
  record Delivered() implements PaymentOutcome {}

  /// A part was delivered, and this amount is to be returned.
  record PartlyDelivered(long refund, String reason) implements PaymentOutcome {}

  /// Nothing was delivered, and everything is to be returned.
  record NotDelivered(String reason) implements PaymentOutcome {}

  /// The payment waits for [Payments#use].
  record Kept() implements PaymentOutcome {}
}
