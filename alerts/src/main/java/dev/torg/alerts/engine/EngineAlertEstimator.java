package dev.torg.alerts.engine;

import dev.torg.favorites.AlertEstimator;
import dev.torg.matching.Query;
import dev.torg.matching.engine.MatchEstimate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/// Estimates from the offers that the engine of this process has matched. Without an estimate until
/// [#start], and in processes that match no offers.
public final class EngineAlertEstimator implements AlertEstimator {
  /// With fewer offers, or after a shorter time, there is no estimate. During the first day the time
  /// observed so far is extrapolated.
  private static final int MIN_OBSERVED_OFFERS = 100;

  private static final Duration MIN_OBSERVATION_TIME = Duration.ofMinutes(1);

  private record Observation(Instant since, DoubleSupplier share) {}

  private final EngineView searches;
  private final InstantSource clock;
  private volatile @Nullable Observation observation;

  public EngineAlertEstimator(EngineView searches, InstantSource clock) {
    this.searches = searches;
    this.clock = clock;
  }

  /// To be called when the engine has caught up and offers are consumed.
  ///
  /// @param share the share of all offers that this process consumes
  public void start(DoubleSupplier share) {
    observation = new Observation(clock.instant(), share);
  }

  @Override
  public OptionalDouble alertsPerDay(Query query) {
    Observation current = observation;
    if (current == null || clock.instant().isBefore(current.since.plus(MIN_OBSERVATION_TIME))) {
      return OptionalDouble.empty();
    }
    double share = current.share.getAsDouble();
    MatchEstimate estimate = searches.engine().estimate(query);
    return estimate.triedOn() < MIN_OBSERVED_OFFERS || share <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(estimate.matchesPerDay() / share);
  }
}
