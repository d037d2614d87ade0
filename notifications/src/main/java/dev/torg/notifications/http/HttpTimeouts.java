package dev.torg.notifications.http;

import java.time.Duration;

/// How long the parts of a call may take: connecting, writing the request, and the response from its end on.
public record HttpTimeouts(Duration connect, Duration write, Duration response) {
  public static HttpTimeouts defaults() {
    return new HttpTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(10));
  }

  /// The parts together. TLS and the lookup of the name have timeouts of their own, within a second time to connect.
  Duration total() {
    return connect.multipliedBy(2).plus(write).plus(response);
  }
}
