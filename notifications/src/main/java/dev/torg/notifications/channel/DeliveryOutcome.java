package dev.torg.notifications.channel;

import java.time.Duration;
import java.util.Optional;

/// What is known after one attempt. A reason is a short code for metrics and the record of deliveries, such as
/// `connection-refused` or `http-503`; it contains no address and no content.
public sealed interface DeliveryOutcome {
  /// The provider accepted the message.
  record Delivered() implements DeliveryOutcome {}

  /// The provider definitely did not take the message and may take it later.
  ///
  /// @param retryAfter the provider's wish, if it stated one
  record Refused(String reason, Optional<Duration> retryAfter) implements DeliveryOutcome {}

  /// The provider will never take this message.
  record Rejected(String reason) implements DeliveryOutcome {}

  /// The target does not exist any more and is to be removed.
  record TargetGone(String reason) implements DeliveryOutcome {}

  /// The provider may have taken the message. It is never sent again.
  record Unknown(String reason) implements DeliveryOutcome {}

  static DeliveryOutcome delivered() {
    return new Delivered();
  }

  static DeliveryOutcome refused(String reason) {
    return new Refused(reason, Optional.empty());
  }

  static DeliveryOutcome rejected(String reason) {
    return new Rejected(reason);
  }

  static DeliveryOutcome targetGone(String reason) {
    return new TargetGone(reason);
  }

  static DeliveryOutcome unknown(String reason) {
    return new Unknown(reason);
  }
}
