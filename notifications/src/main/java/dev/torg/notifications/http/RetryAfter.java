package dev.torg.notifications.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the header `Retry-After`: seconds, or a date.
final class RetryAfter {
  /// What a provider may ask for at most: a mistake of it must not hold messages back for years.
  private static final Duration MAX = Duration.ofDays(1);

  private RetryAfter() {}

  static Optional<Duration> parse(@Nullable String header, Instant now) {
    if (header == null) {
      return Optional.empty();
    }
    String value = header.strip();
    try {
      Duration delay =
          value.matches("\\d{1,9}")
              ? Duration.ofSeconds(Long.parseLong(value))
              : Duration.between(
                  now,
                  ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
      return delay.isNegative() ? Optional.empty() : Optional.of(min(delay));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Duration min(Duration delay) {
    return delay.compareTo(MAX) < 0 ? delay : MAX;
  }
}
