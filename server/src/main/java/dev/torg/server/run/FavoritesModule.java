package dev.torg.server.run;

import dev.torg.favorites.AlertEstimator;
import dev.torg.favorites.FavoriteSettings;
import dev.torg.favorites.LoginMergeStep;
import dev.torg.favorites.OfferScanCounter;
import dev.torg.favorites.VisibleOffers;
import dev.torg.favorites.wiring.FavoritesWiring;
import dev.torg.offers.Offers;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.server.config.FavoriteLimitsConfig;
import dev.torg.server.config.Role;
import dev.torg.server.route.RpcBinding;
import java.util.List;

/// Favorites, and the login merge. Role jobs projects them into the homes of the saved objects.
final class FavoritesModule implements Module {
  private final FavoritesWiring wiring;
  private EventHandler following = events -> {};

  /// @param alerts estimates how many alerts a search would cause
  /// @param moves what else is merged at login, in order, before favorites
  /// @param lastMoves what is merged after them
  FavoritesModule(
      ModuleContext ground,
      Offers offers,
      AlertEstimator alerts,
      List<LoginMergeStep> moves,
      List<LoginMergeStep> lastMoves) {
    wiring =
        new FavoritesWiring(
            ground.database(),
            ground.outbox(),
            ground.tokens(),
            new FavoritesWiring.Dependencies(
                new VisibleOffers(offers), new OfferScanCounter(offers), alerts, moves, lastMoves),
            settings(ground.configuration().favoriteLimits()),
            ground.clock(),
            ground.metrics());
  }

  private static FavoriteSettings settings(FavoriteLimitsConfig limits) {
    return FavoriteSettings.DEFAULTS.withLimits(limits.users(), limits.anonymous());
  }

  /// Receives the events of favorites once they are projected.
  void followedBy(EventHandler handler) {
    following = handler;
  }

  /// For the modules that notify people.
  FavoritesWiring wiring() {
    return wiring;
  }

  @Override
  public List<RpcBinding> rpcs() {
    return wiring.services().stream()
        .map(service -> RpcBinding.blocking(service).except(FavoritesWiring.NON_BLOCKING_METHODS))
        .toList();
  }

  @Override
  public void start(BackgroundRuntime background) {
    if (background.does(Role.JOBS)) {
      wiring.schedule(background.jobs());
      background.run(wiring.projections(background.kafka(), background.parked(), following));
    }
  }

  @Override
  public void close() {
    wiring.close();
  }
}
