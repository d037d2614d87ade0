package dev.torg.server.run;

import dev.torg.alerts.EngineAlertEstimator;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.wiring.AlertsWiring;
import dev.torg.offers.Offers;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.server.ReadinessCheck;
import dev.torg.server.config.Role;
import dev.torg.server.route.RpcBinding;
import java.util.List;

/// From an offer's change to the people it concerns. Role alerts holds the engine and writes to bells; role api
/// serves explanations.
final class AlertsModule implements Module {
  private final AlertsWiring wiring;
  private final boolean matches;

  AlertsModule(
      ModuleContext ground,
      Offers offers,
      FavoritesModule favorites,
      NotificationsModule bell,
      EngineAlertEstimator estimator) {
    matches = ground.configuration().roles().contains(Role.ALERTS);
    wiring =
        new AlertsWiring(
            new AlertsWiring.Context(
                ground.database(), ground.kafka(), ground.clock(), ground.metrics()),
            new AlertsWiring.Dependencies(
                offers,
                favorites.wiring().audiences(),
                favorites.wiring().backfills(),
                favorites.wiring().rules(),
                favorites.wiring().moves(),
                bell.wiring().bell(),
                bell.wiring().settings()),
            estimator,
            AlertSettings.defaults(ground.configuration().data()));
  }

  /// Follows the projections of favorites.
  EventHandler arrivals() {
    return wiring.arrivals();
  }

  @Override
  public List<RpcBinding> rpcs() {
    return wiring.services().stream().map(RpcBinding::blocking).toList();
  }

  @Override
  public List<ReadinessCheck> checks() {
    return matches ? List.of(new ReadinessCheck("searches", wiring::isReady)) : List.of();
  }

  @Override
  public void start(BackgroundRuntime background) {
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
