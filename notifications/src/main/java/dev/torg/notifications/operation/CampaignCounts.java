package dev.torg.notifications.operation;

import dev.torg.notifications.delivery.CampaignProgress.Count;
import dev.torg.notifications.delivery.CampaignProgress.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Sums the outcomes of a transaction by home, campaign and reason. Operations without a campaign do not count.
final class CampaignCounts {
  private final Map<Count, Integer> sums = new HashMap<>();

  void add(DeliveryOperation operation, Outcome outcome, String reason) {
    operation
        .campaign()
        .ifPresent(
            campaign ->
                sums.merge(
                    new Count(operation.home(), campaign, outcome, reason, 1), 1, Integer::sum));
  }

  List<Count> list() {
    List<Count> counts = new ArrayList<>();
    sums.forEach(
        (one, sum) ->
            counts.add(new Count(one.home(), one.campaign(), one.outcome(), one.reason(), sum)));
    return counts;
  }
}
