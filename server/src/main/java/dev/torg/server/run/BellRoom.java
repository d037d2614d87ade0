package dev.torg.server.run;

import dev.torg.notifications.NotificationsWiring;
import dev.torg.notifications.Topics;
import dev.torg.server.HttpRoute;
import dev.torg.server.Rpc;
import dev.torg.server.live.NotificationStream;
import java.util.List;

/// The bell, with its stream of events. Any process may change a bell, so each tells the others and
/// listens to them.
final class BellRoom implements Room {
  private final NotificationsWiring wiring;

  BellRoom(Ground ground) {
    wiring =
        new NotificationsWiring(
            ground.database(), Topics.STANDARD, ground.clock(), ground.metrics());
  }

  /// For the rooms that write to bells.
  NotificationsWiring wiring() {
    return wiring;
  }

  @Override
  public List<Rpc> rpcs() {
    return wiring.services().stream().map(Rpc::blocking).toList();
  }

  @Override
  public List<HttpRoute> routes() {
    return List.of(new NotificationStream(wiring.live()).route());
  }

  @Override
  public void start(Background background) {
    wiring.live().start();
  }

  @Override
  public void drain() {
    wiring.live().close();
  }

  @Override
  public void close() {
    wiring.close();
  }
}
