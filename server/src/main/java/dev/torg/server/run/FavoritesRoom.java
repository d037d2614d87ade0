package dev.torg.server.run;

import dev.torg.favorites.AlertEstimator;
import dev.torg.favorites.CountOffers;
import dev.torg.favorites.FavoriteSettings;
import dev.torg.favorites.FavoritesWiring;
import dev.torg.favorites.MoveStep;
import dev.torg.favorites.VisibleOffers;
import dev.torg.offers.Offers;
import dev.torg.platform.topics.EventHandler;
import dev.torg.server.Rpc;
import dev.torg.server.config.FavoriteLimitsConfig;
import dev.torg.server.config.Role;
import java.util.List;

/// What people save, and the move at login. Role jobs projects it into the homes of what was saved.
final class FavoritesRoom implements Room {
  private final FavoritesWiring wiring;
  private EventHandler following = events -> {};

  /// @param alerts how many alerts a search would cause
  /// @param moves what else goes along at login, in order, before favorites
  /// @param lastMoves what is left to do after them
  FavoritesRoom(
      Ground ground,
      Offers offers,
      AlertEstimator alerts,
      List<MoveStep> moves,
      List<MoveStep> lastMoves) {
    wiring =
        new FavoritesWiring(
            ground.database(),
            ground.outbox(),
            ground.tokens(),
            new FavoritesWiring.Neighbours(
                new VisibleOffers(offers), new CountOffers(offers), alerts, moves, lastMoves),
            settings(ground.configuration().favoriteLimits()),
            ground.clock(),
            ground.metrics());
  }

  private static FavoriteSettings settings(FavoriteLimitsConfig limits) {
    return FavoriteSettings.USUAL.withLimits(limits.users(), limits.anonymous());
  }

  /// Who is given the events of favorites once they are projected.
  void followedBy(EventHandler handler) {
    following = handler;
  }

  /// For the rooms that tell people.
  FavoritesWiring wiring() {
    return wiring;
  }

  @Override
  public List<Rpc> rpcs() {
    return wiring.services().stream()
        .map(service -> Rpc.blocking(service).except(FavoritesWiring.NEVER_WAITING))
        .toList();
  }

  @Override
  public void start(Background background) {
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
