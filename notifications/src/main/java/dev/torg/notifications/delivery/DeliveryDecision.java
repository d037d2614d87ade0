package dev.torg.notifications.delivery;

import java.time.Instant;

/// What is done with a message that is due on a channel.
public sealed interface DeliveryDecision {
  /// It is delivered now.
  record Deliver() implements DeliveryDecision {}

  /// It is decided again at this time, which is later than now.
  record Hold(Instant until) implements DeliveryDecision {}

  /// It is never delivered on this channel.
  record Suppress(SuppressionReason reason) implements DeliveryDecision {}
}
