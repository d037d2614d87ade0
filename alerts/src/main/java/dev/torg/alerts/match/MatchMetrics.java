package dev.torg.alerts.match;

import dev.torg.matching.engine.Matches;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;

/// Metrics of matching.
final class MatchMetrics {
  private final Counter offers;
  private final Counter backfilled;
  private final DistributionSummary candidates;
  private final DistributionSummary matches;

  MatchMetrics(MeterRegistry registry) {
    offers =
        Counter.builder("torg.alerts.offers.matched")
            .description("Offers matched against all searches")
            .register(registry);
    backfilled =
        Counter.builder("torg.alerts.late.searches")
            .description("Matches of offers with searches that came after them")
            .register(registry);
    candidates =
        DistributionSummary.builder("torg.alerts.candidates")
            .description("Searches checked exactly, per offer")
            .register(registry);
    matches =
        DistributionSummary.builder("torg.alerts.matches")
            .description("Searches matched, per offer")
            .register(registry);
  }

  void matched(Matches result) {
    offers.increment();
    candidates.record((double) result.checked());
    matches.record(result.size());
  }

  void backfilled(int count) {
    backfilled.increment(count);
  }
}
