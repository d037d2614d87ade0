package dev.torg.favorites;

import dev.torg.matching.Query;
import java.util.OptionalDouble;

/// Estimates the alerts per day of a search from the offers observed so far.
@FunctionalInterface
public interface AlertEstimator {
  /// Empty while too few offers were observed.
  OptionalDouble alertsPerDay(Query query);
}
