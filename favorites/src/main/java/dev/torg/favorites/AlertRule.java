package dev.torg.favorites;

import dev.torg.api.v1.DeliverySettings.Delivery;
import java.time.Instant;
import java.util.List;

/// A subscription that exists: its time, its delivery, the name of a search, and of a saved offer the price
/// that the recipient knows.
public record AlertRule(
    AlertRuleKey key,
    Instant createdAt,
    Delivery delivery,
    List<String> channels,
    String name,
    long priceHash,
    long priceVersion) {
  public AlertRule {
    channels = List.copyOf(channels);
  }
}
