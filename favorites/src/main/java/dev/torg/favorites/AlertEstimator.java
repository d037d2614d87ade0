package dev.torg.favorites;

import dev.torg.matching.Query;
import java.util.OptionalDouble;

/// How many alerts a day a search would cause, from what was observed.
@FunctionalInterface
public interface AlertEstimator {
  /// Nothing while too little was observed to tell.
  OptionalDouble alertsPerDay(Query query);
}
