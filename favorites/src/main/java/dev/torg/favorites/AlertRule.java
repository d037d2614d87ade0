package dev.torg.favorites;

import dev.torg.api.v1.DeliverySettings.Delivery;
import java.time.Instant;
import java.util.List;

/// A reason that holds: since when, how to deliver, its name where it has one, and of a saved offer
/// the price the reader knows.
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
