package dev.torg.server.run;

import dev.torg.notifications.NotificationCenterSettings;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.SettingsListener;
import dev.torg.notifications.devices.StoredDeviceTimezones;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.server.config.Role;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RpcBinding;
import dev.torg.server.sse.NotificationStreamRoute;
import java.util.List;

/// The notification center. Any process may change a bell, so each broadcasts its changes and receives
/// those of the others.
final class NotificationsModule implements Module {
  private final NotificationsWiring wiring;

  /// @param listeners are called in transactions that replace a person's settings
  NotificationsModule(ProcessContext context, List<SettingsListener> listeners) {
    wiring =
        new NotificationsWiring(
            context.module(),
            NotificationTopics.defaults(),
            new NotificationCenterSettings(
                NotificationCenterSettings.defaults().defaultTimezone(),
                context.configuration().notificationRetention()),
            new StoredDeviceTimezones(),
            listeners);
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
    return List.of(new NotificationStreamRoute(wiring.streams()).route());
  }

  @Override
  public void start(BackgroundRuntime runtime) {
    wiring.streams().start();
    if (runtime.does(Role.JOBS)) {
      wiring.schedule(runtime.jobs());
    }
  }

  @Override
  public void drain() {
    wiring.streams().close();
  }

  @Override
  public void close() {
    wiring.close();
  }
}
