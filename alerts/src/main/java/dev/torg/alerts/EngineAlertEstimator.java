package dev.torg.alerts;

import dev.torg.favorites.AlertEstimator;
import dev.torg.matching.Query;
import dev.torg.matching.engine.Engine;
import dev.torg.matching.engine.MatchEstimate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Estimates from the offers that this process has matched. Made before the engine, since favorites
/// are wired first; knows nothing until then, and in processes that match no offers.
public final class EngineAlertEstimator implements AlertEstimator {
  /// Fewer offers, or a shorter time, say nothing. Before a day is over, what was seen so far stands
  /// for it.
  private static final int MIN_OBSERVED_OFFERS = 100;

  private static final Duration MIN_OBSERVATION_TIME = Duration.ofMinutes(1);

  private record Observer(Supplier<Engine> engine, DoubleSupplier share, Instant since) {}

  private final InstantSource clock;
  private volatile @Nullable Observer observer;

  public EngineAlertEstimator(InstantSource clock) {
    this.clock = clock;
  }

  /// From now on this engine, whichever it is at a time, observes the given share of all offers.
  public void observe(Supplier<Engine> engine, DoubleSupplier share) {
    observer = new Observer(engine, share, clock.instant());
  }

  @Override
  public OptionalDouble alertsPerDay(Query query) {
    Observer known = observer;
    if (known == null || clock.instant().isBefore(known.since.plus(MIN_OBSERVATION_TIME))) {
      return OptionalDouble.empty();
    }
    double share = known.share.getAsDouble();
    MatchEstimate estimate = known.engine.get().estimate(query);
    return estimate.triedOn() < MIN_OBSERVED_OFFERS || share <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(estimate.matchesPerDay() / share);
  }
}
