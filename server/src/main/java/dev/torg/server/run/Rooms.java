package dev.torg.server.run;

import dev.torg.favorites.FavoritesWiring;
import dev.torg.notifications.NotificationsWiring;
import dev.torg.offers.OffersWiring;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.topics.TopicSpec;
import dev.torg.server.HttpRoute;
import dev.torg.server.ReadinessCheck;
import dev.torg.server.Rpc;
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
          FavoritesWiring.MIGRATIONS);

  static final List<TopicSpec> TOPICS =
      Stream.of(OffersWiring.TOPICS, FavoritesWiring.TOPICS).flatMap(List::stream).toList();

  private final List<Room> rooms;

  private Rooms(List<Room> rooms) {
    this.rooms = rooms;
  }

  static Rooms open(Ground ground, Ending ending) {
    OffersRoom offers = ending.add(new OffersRoom(ground));
    BellRoom bell = ending.add(new BellRoom(ground));
    ObservedAlerts alerts = new ObservedAlerts();
    FavoritesRoom favorites =
        ending.add(new FavoritesRoom(ground, offers.face(), alerts, List.of(bell.move())));
    return new Rooms(List.of(offers, bell, favorites));
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
