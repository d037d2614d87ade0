package dev.torg.server.run;

import dev.torg.favorites.AlertEstimator;
import dev.torg.matching.Query;
import java.util.OptionalDouble;

/// Alerts a day as whoever watches the offers in this process estimates them; unknown while nobody
/// does. Favorites are wired before the room that watches, hence this place between them.
final class ObservedAlerts implements AlertEstimator {
  private volatile AlertEstimator observer = _ -> OptionalDouble.empty();

  void observedBy(AlertEstimator observer) {
    this.observer = observer;
  }

  @Override
  public OptionalDouble alertsPerDay(Query query) {
    return observer.alertsPerDay(query);
  }
}
