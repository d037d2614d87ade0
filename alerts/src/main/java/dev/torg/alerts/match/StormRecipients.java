package dev.torg.alerts.match;

import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.OfferPositions;
import dev.torg.api.v1.DeliverySettings.Delivery;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/// The recipients of a storm with all their reasons. None may be cut, because an offer may match the last
/// one only; so the total of reasons is bounded as well as the number of recipients.
final class StormRecipients {
  static final int MAX_RECIPIENTS = 5_000;

  /// About 10 MB. A thousand recipients have room for a hundred reasons each.
  static final int MAX_REASONS = 100_000;

  /// What a reason contributes: its delivery, and the offers by index and by position.
  record Match(Delivery delivery, BitSet offers, OfferPositions positions) {}

  private final Map<String, Map<AlertReason, Match>> recipients = new LinkedHashMap<>();
  private int bufferedReasons;

  void add(String owner, AlertReason reason, Match match) {
    Match former = recipients.computeIfAbsent(owner, _ -> new LinkedHashMap<>()).put(reason, match);
    if (former == null) {
      bufferedReasons++;
    }
  }

  /// To be checked after each audience, so that the bound is exceeded by one audience at most.
  boolean isFull() {
    return recipients.size() >= MAX_RECIPIENTS || bufferedReasons >= MAX_REASONS;
  }

  /// The number of reasons in memory, over all recipients.
  int bufferedReasons() {
    return bufferedReasons;
  }

  /// Passes on each recipient with all reasons, and removes them.
  void drain(BiConsumer<String, Map<AlertReason, Match>> consumer) {
    recipients.forEach(consumer);
    recipients.clear();
    bufferedReasons = 0;
  }
}
