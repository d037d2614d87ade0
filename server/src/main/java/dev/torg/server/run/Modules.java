package dev.torg.server.run;

import dev.torg.alerts.EngineAlertEstimator;
import dev.torg.alerts.merge.BellMergeStep;
import dev.torg.alerts.wiring.AlertsWiring;
import dev.torg.favorites.LoginMergeStep;
import dev.torg.favorites.wiring.FavoritesWiring;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.photos.wiring.PhotosWiring;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.server.ReadinessCheck;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RpcBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// All modules of a process, wired to each other with plain `new`, in the order of their dependencies. They
/// close in reverse order.
final class Modules {
  static final Migrations MIGRATIONS =
      Migrations.of(
          "platform",
          OffersWiring.MIGRATIONS,
          NotificationsWiring.MIGRATIONS,
          FavoritesWiring.MIGRATIONS,
          AlertsWiring.MIGRATIONS);

  static final List<TopicSpec> TOPICS =
      Stream.of(
              PhotosWiring.TOPICS, OffersWiring.TOPICS, FavoritesWiring.TOPICS, AlertsWiring.TOPICS)
          .flatMap(List::stream)
          .toList();

  /// Entries of the bell in one step of a move at login: a few transactions of some milliseconds.
  private static final int MOVE_PAGE = 500;

  private final List<Module> modules;

  private Modules(List<Module> rooms) {
    this.modules = rooms;
  }

  static Modules open(ModuleContext ground, ShutdownStack ending) {
    PhotosModule photos = ending.add(new PhotosModule(ground));
    OffersModule offers = ending.add(new OffersModule(ground, photos.uploads()));
    NotificationsModule bell = ending.add(new NotificationsModule(ground));
    EngineAlertEstimator estimator = new EngineAlertEstimator(ground.clock());
    FavoritesModule favorites =
        ending.add(
            new FavoritesModule(
                ground,
                offers.offers(),
                estimator,
                moves(ground, offers, bell),
                AlertsWiring.lastMoveSteps(ground.database(), ground.clock())));
    AlertsModule alerts =
        ending.add(new AlertsModule(ground, offers.offers(), favorites, bell, estimator));
    favorites.followedBy(alerts.arrivals());
    return new Modules(List.of(photos, offers, bell, favorites, alerts));
  }

  /// The dedup rows of delivered alerts are merged first: from then on alerts in flight find them with the
  /// login.
  private static List<LoginMergeStep> moves(
      ModuleContext ground, OffersModule offers, NotificationsModule bell) {
    List<LoginMergeStep> moves =
        new ArrayList<>(AlertsWiring.moveSteps(ground.database(), ground.clock()));
    moves.add(BellMergeStep.step(bell.wiring().move(), offers.offers(), MOVE_PAGE));
    return moves;
  }

  List<RpcBinding> rpcs() {
    return modules.stream().flatMap(room -> room.rpcs().stream()).toList();
  }

  List<HttpRoute> routes() {
    return modules.stream().flatMap(room -> room.routes().stream()).toList();
  }

  List<ReadinessCheck> checks() {
    return modules.stream().flatMap(room -> room.checks().stream()).toList();
  }

  void start(BackgroundRuntime background) {
    modules.forEach(room -> room.start(background));
  }

  void drain() {
    modules.forEach(Module::drain);
  }
}
