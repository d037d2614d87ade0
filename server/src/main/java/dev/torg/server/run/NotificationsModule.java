package dev.torg.server.run;

import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RpcBinding;
import dev.torg.server.sse.NotificationStreamRoute;
import java.util.List;

/// The bell, with its stream of events. Any process may change a bell, so each broadcasts its changes and
/// listens to those of the others.
final class NotificationsModule implements Module {
  private final NotificationsWiring wiring;

  NotificationsModule(ModuleContext ground) {
    wiring =
        new NotificationsWiring(
            ground.database(), NotificationTopics.DEFAULTS, ground.clock(), ground.metrics());
  }

  /// For the modules that write to bells.
  NotificationsWiring wiring() {
    return wiring;
  }

  @Override
  public List<RpcBinding> rpcs() {
    return wiring.services().stream().map(RpcBinding::blocking).toList();
  }

  @Override
  public List<HttpRoute> routes() {
    return List.of(new NotificationStreamRoute(wiring.live()).route());
  }

  @Override
  public void start(BackgroundRuntime background) {
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
