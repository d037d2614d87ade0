package dev.torg.platform.identity;

import java.time.Duration;

/// How long tokens are valid. An anonymous identity is valid as long as its idle data is retained (180 days); a
/// person logs in again every day.
public record Lifetimes(Duration anonymous, Duration user) {
  public Lifetimes {
    requirePositive("anonymous", anonymous);
    requirePositive("user", user);
  }

  public static Lifetimes defaults() {
    return new Lifetimes(Duration.ofDays(180), Duration.ofHours(24));
  }

  /// After this, nothing that a retired key has signed can still be valid.
  Duration max() {
    return anonymous.compareTo(user) > 0 ? anonymous : user;
  }

  private static void requirePositive(String name, Duration lifetime) {
    if (lifetime.isNegative() || lifetime.isZero()) {
      throw new IllegalArgumentException("token lifetime " + name + " must be positive");
    }
  }
}
