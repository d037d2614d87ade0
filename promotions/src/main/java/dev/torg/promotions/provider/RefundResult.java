package dev.torg.promotions.provider;

/// What became of a refund.
///
/// @param reference the provider's id of the refund; empty if there is none
/// @param reason why it was refused, for the log and the audit; else empty
public record RefundResult(Outcome outcome, String reference, String reason) {
  public enum Outcome {
    /// The money was returned.
    REFUNDED,
    /// The provider has accepted the refund and works on it. A repeated call returns the new outcome.
    PENDING,
    /// The provider will not return the money: it was not paid, or more would be returned than was paid.
    REFUSED
  }

  public static RefundResult refunded(String reference) {
    return new RefundResult(Outcome.REFUNDED, reference, "");
  }

  public static RefundResult pending(String reference) {
    return new RefundResult(Outcome.PENDING, reference, "");
  }

  public static RefundResult refused(String reason) {
    return new RefundResult(Outcome.REFUSED, "", reason);
  }
}
