package dev.torg.alerts.match;

import dev.torg.alerts.event.AlertStormDetector;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/// Counts the offers that this process handles of each seller, in windows of a minute: a seller with more
/// than 20 in this window and the previous one is in a storm. A feed that is read slowly counts too,
/// however few of its offers are in one call.
final class SellerRates {
  static final int MAX_ORDINARY_OFFERS = AlertStormDetector.STORM_THRESHOLD_OFFERS;
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final InstantSource clock;
  private Map<String, Integer> previous = new HashMap<>();
  private Map<String, Integer> current = new HashMap<>();
  private Instant windowStart = Instant.MIN;

  SellerRates(InstantSource clock) {
    this.clock = clock;
  }

  synchronized void count(String seller) {
    advanceWindow();
    current.merge(seller, 1, Integer::sum);
  }

  synchronized boolean isStorm(String seller) {
    advanceWindow();
    return previous.getOrDefault(seller, 0) + current.getOrDefault(seller, 0) > MAX_ORDINARY_OFFERS;
  }

  private void advanceWindow() {
    Instant now = clock.instant();
    if (!now.isBefore(windowStart.plus(WINDOW))) {
      boolean adjacent = now.isBefore(windowStart.plus(WINDOW.multipliedBy(2)));
      previous = adjacent ? current : new HashMap<>();
      current = new HashMap<>();
      windowStart = now;
    }
  }
}
