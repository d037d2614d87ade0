package dev.torg.promotions;

import java.time.Duration;

/// A service and how long it is active once it is applied.
///
/// @param extendable whether it may be bought while it is active, which then prolongs it
public record ServiceTerm(String service, Duration duration, boolean extendable) {
  public ServiceTerm {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException("a service has a positive duration");
    }
  }
}
