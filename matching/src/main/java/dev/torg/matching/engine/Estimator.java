package dev.torg.matching.engine;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import java.util.List;

/// Estimates by testing a query on recent offers; if none of them matches, from the frequencies of its clauses,
/// assumed independent, and never above one in the number of tested offers.
final class Estimator {
  /// The share assumed for a clause that no frequency is known for: a range, an exclusion.
  private static final double UNKNOWN_SHARE = 0.5;

  private final Observations observations;

  Estimator(Observations observations) {
    this.observations = observations;
  }

  MatchEstimate estimate(Query query) {
    List<Clauses.Clause> clauses = Clauses.of(query);
    List<OfferFeatures> recent = observations.recent();
    long hits =
        recent.stream()
            .filter(offer -> clauses.stream().allMatch(clause -> clause.holds(offer)))
            .count();
    double share =
        hits > 0
            ? (double) hits / recent.size()
            : Math.min(independent(clauses), 1.0 / (recent.size() + 1));
    return new MatchEstimate(share * observations.offersPerDay(), share, recent.size());
  }

  private double independent(List<Clauses.Clause> clauses) {
    double share = 1;
    for (Clauses.Clause clause : clauses) {
      share *=
          clause.required().isEmpty()
              ? UNKNOWN_SHARE
              : Math.min(1, clause.required().stream().mapToDouble(observations::frequency).sum());
    }
    return share;
  }
}
