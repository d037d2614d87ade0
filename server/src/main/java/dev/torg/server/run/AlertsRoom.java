package dev.torg.server.run;

import dev.torg.alerts.AlertSettings;
import dev.torg.alerts.AlertsWiring;
import dev.torg.alerts.EngineEstimator;
import dev.torg.offers.Offers;
import dev.torg.platform.topics.EventHandler;
import dev.torg.server.ReadinessCheck;
import dev.torg.server.Rpc;
import dev.torg.server.config.Role;
import java.util.List;

/// From an offer's change to the people who care. Role alerts holds the engine and writes to bells;
/// whoever answers calls explains why.
final class AlertsRoom implements Room {
  private final AlertsWiring wiring;
  private final boolean matches;

  AlertsRoom(
      Ground ground,
      Offers offers,
      FavoritesRoom favorites,
      BellRoom bell,
      EngineEstimator estimator) {
    matches = ground.configuration().roles().contains(Role.ALERTS);
    wiring =
        new AlertsWiring(
            new AlertsWiring.Ground(
                ground.database(), ground.kafka(), ground.clock(), ground.metrics()),
            new AlertsWiring.Neighbours(
                offers,
                favorites.wiring().audiences(),
                favorites.wiring().backfills(),
                favorites.wiring().rules(),
                favorites.wiring().moves(),
                bell.wiring().bell(),
                bell.wiring().settings()),
            estimator,
            AlertSettings.usual(ground.configuration().data()));
  }

  /// Follows the projections of favorites.
  EventHandler arrivals() {
    return wiring.arrivals();
  }

  @Override
  public List<Rpc> rpcs() {
    return wiring.services().stream().map(Rpc::blocking).toList();
  }

  @Override
  public List<ReadinessCheck> checks() {
    return matches ? List.of(new ReadinessCheck("searches", wiring::isReady)) : List.of();
  }

  @Override
  public void start(Background background) {
    if (background.does(Role.ALERTS)) {
      wiring.start(background.parked(), background::partitions);
      wiring.schedule(background.jobs());
    }
  }

  @Override
  public void close() {
    wiring.close();
  }
}
