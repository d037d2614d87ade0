package dev.torg.promotions.price;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/// A service that can be bought for an offer.
///
/// @param duration how long it lasts, unless a row of the matrix or a pricing service states another duration
/// @param extendable whether it can be bought again while it is active
/// @param parts the services of which a bundle consists; empty for a single service
public record ServiceDefinition(
    String name, Duration duration, boolean extendable, List<String> parts) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");

  public ServiceDefinition {
    parts = List.copyOf(parts);
  }

  public boolean isBundle() {
    return !parts.isEmpty();
  }

  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }
}
