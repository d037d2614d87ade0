package dev.torg.server.run;

import dev.torg.alerts.AlertsWiring;
import dev.torg.alerts.EngineEstimator;
import dev.torg.alerts.MoveBell;
import dev.torg.favorites.FavoritesWiring;
import dev.torg.favorites.MoveStep;
import dev.torg.notifications.NotificationsWiring;
import dev.torg.offers.OffersWiring;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.topics.TopicSpec;
import dev.torg.server.HttpRoute;
import dev.torg.server.ReadinessCheck;
import dev.torg.server.Rpc;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// All rooms of a process, wired to each other with plain `new`, in the order in which they need one
/// another. They close in the opposite order.
final class Rooms {
  static final Migrations MIGRATIONS =
      Migrations.of(
          "platform",
          OffersWiring.MIGRATIONS,
          NotificationsWiring.MIGRATIONS,
          FavoritesWiring.MIGRATIONS,
          AlertsWiring.MIGRATIONS);

  static final List<TopicSpec> TOPICS =
      Stream.of(OffersWiring.TOPICS, FavoritesWiring.TOPICS, AlertsWiring.TOPICS)
          .flatMap(List::stream)
          .toList();

  /// Entries of the bell in one step of a move at login: a few transactions of some milliseconds.
  private static final int MOVE_PAGE = 500;

  private final List<Room> rooms;

  private Rooms(List<Room> rooms) {
    this.rooms = rooms;
  }

  static Rooms open(Ground ground, Ending ending) {
    OffersRoom offers = ending.add(new OffersRoom(ground));
    BellRoom bell = ending.add(new BellRoom(ground));
    EngineEstimator estimator = new EngineEstimator(ground.clock());
    FavoritesRoom favorites =
        ending.add(
            new FavoritesRoom(
                ground,
                offers.face(),
                estimator,
                moves(ground, offers, bell),
                AlertsWiring.lastMoveSteps(ground.database(), ground.clock())));
    AlertsRoom alerts =
        ending.add(new AlertsRoom(ground, offers.face(), favorites, bell, estimator));
    favorites.followedBy(alerts.arrivals());
    return new Rooms(List.of(offers, bell, favorites, alerts));
  }

  /// What people were told goes first: from then on alerts under way find it with the login.
  private static List<MoveStep> moves(Ground ground, OffersRoom offers, BellRoom bell) {
    List<MoveStep> moves =
        new ArrayList<>(AlertsWiring.moveSteps(ground.database(), ground.clock()));
    moves.add(MoveBell.step(bell.wiring().move(), offers.face(), MOVE_PAGE));
    return moves;
  }

  List<Rpc> rpcs() {
    return rooms.stream().flatMap(room -> room.rpcs().stream()).toList();
  }

  List<HttpRoute> routes() {
    return rooms.stream().flatMap(room -> room.routes().stream()).toList();
  }

  List<ReadinessCheck> checks() {
    return rooms.stream().flatMap(room -> room.checks().stream()).toList();
  }

  void start(Background background) {
    rooms.forEach(room -> room.start(background));
  }

  void drain() {
    rooms.forEach(Room::drain);
  }
}
