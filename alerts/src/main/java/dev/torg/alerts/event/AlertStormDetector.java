package dev.torg.alerts.event;

import dev.torg.platform.OfferId;
import java.util.HashMap;
import java.util.Map;

/// Distinguishes storms from ordinary alerts within one call: more than 20 offers of one seller, or for
/// one search, such as a feed causes. Alerts of a storm have a topic of their own, so that neither other
/// alerts nor the pages of large audiences wait for their delivery.
public final class AlertStormDetector {
  /// More offers than this, of one seller or for one search, are a storm.
  public static final int STORM_THRESHOLD_OFFERS = 20;

  private final Map<AlertReason, Seen> seen = new HashMap<>();

  private record Seen(OfferId last, int offers) {}

  /// Counts an offer for the reason, once however often it is added.
  public void count(AlertReason reason, OfferId offer) {
    seen.merge(
        reason,
        new Seen(offer, 1),
        (before, _) -> before.last.equals(offer) ? before : new Seen(offer, before.offers + 1));
  }

  /// Decides by the offers counted so far.
  public boolean isStorm(Alert alert) {
    return alert.reasons().stream().anyMatch(this::isStorm);
  }

  public boolean isStorm(AlertReason reason) {
    Seen offers = seen.get(reason);
    return offers != null && offers.offers > STORM_THRESHOLD_OFFERS;
  }
}
