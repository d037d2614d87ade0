package dev.torg.notifications.http;

import java.time.Duration;
import java.util.Optional;

/// What is known after an HTTP call.
public sealed interface HttpCallResult {
  /// @param body empty if it was too long
  record Answered(int status, String body, Optional<Duration> retryAfter)
      implements HttpCallResult {
    public boolean isSuccess() {
      return status / 100 == 2;
    }
  }

  /// The server has not processed the call.
  record NotSent(String reason) implements HttpCallResult {}

  /// The address is not on the public network. Nothing was sent.
  record PrivateAddress() implements HttpCallResult {}

  /// The server may have processed the call.
  record Lost(String reason) implements HttpCallResult {}
}
