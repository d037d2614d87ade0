package dev.torg.notifications.push;

import dev.torg.notifications.channel.OutgoingMessage;
import java.time.Duration;
import java.time.Instant;

/// How long a provider keeps a push for a device that is not connected.
final class PushLifetime {
  private static final Duration MAX = Duration.ofDays(1);

  private PushLifetime() {}

  /// In whole seconds: at most a day, and not beyond the end of the message. Zero: now or not at all.
  static Duration of(OutgoingMessage message, Instant now) {
    return message
        .expiresAt()
        .map(end -> Duration.ofSeconds(Math.max(0, Duration.between(now, end).toSeconds())))
        .filter(rest -> rest.compareTo(MAX) < 0)
        .orElse(MAX);
  }
}
