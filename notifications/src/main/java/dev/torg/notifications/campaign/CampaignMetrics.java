package dev.torg.notifications.campaign;

import dev.torg.notifications.campaign.CampaignStore.StateCount;
import dev.torg.notifications.campaign.StoredCampaign.State;
import dev.torg.notifications.delivery.CampaignProgress.Count;
import dev.torg.notifications.delivery.CampaignProgress.Outcome;
import dev.torg.platform.db.Database;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;

/// Metrics of campaigns.
final class CampaignMetrics {
  private final MeterRegistry registry;

  CampaignMetrics(Database database, MeterRegistry registry) {
    this.registry = registry;
    CampaignStore store = new CampaignStore();
    for (State state : List.of(State.UPLOADING, State.STARTED, State.PAUSED)) {
      Gauge.builder("torg.campaigns", () -> count(database.read(store::countByState), state))
          .description("Campaigns that are not finished, in all processes")
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    for (Outcome outcome : List.of(Outcome.WRITTEN, Outcome.SUPPRESSED)) {
      var _ = recipients(outcome);
    }
  }

  void counted(Count count) {
    recipients(count.outcome()).increment(count.messages());
  }

  private Counter recipients(Outcome outcome) {
    return Counter.builder("torg.campaigns.recipients")
        .description("Recipients of campaigns that were processed")
        .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
        .register(registry);
  }

  private static long count(List<StateCount> counts, State state) {
    return counts.stream()
        .filter(count -> count.state() == state)
        .mapToLong(StateCount::campaigns)
        .sum();
  }
}
