package dev.torg.server.run;

import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.wiring.DevicesWiring;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.platform.net.PublicHostResolver;
import dev.torg.server.config.Role;
import dev.torg.server.route.RpcBinding;
import java.util.List;

/// Devices, contacts and unsubscribing. Role jobs deletes old counts of codes.
final class DevicesModule implements Module {
  private final DevicesWiring wiring;

  /// @param hosts resolves the hosts of webhooks and push endpoints that people give
  /// @param publicUrl the address of this installation without a slash at its end
  DevicesModule(
      ProcessContext context,
      NotificationsWiring notifications,
      List<ChannelSender> senders,
      PublicHostResolver hosts,
      String publicUrl) {
    wiring =
        new DevicesWiring(
            context.module(),
            new DevicesWiring.Dependencies(
                NotificationTopics.defaults(),
                notifications.settings(),
                senders,
                hosts,
                context.tokens().messageAuthenticator(),
                publicUrl));
  }

  /// For the delivery of messages and the login merge.
  DevicesWiring wiring() {
    return wiring;
  }

  @Override
  public List<RpcBinding> rpcs() {
    return wiring.services().stream().map(RpcBinding::blocking).toList();
  }

  @Override
  public void start(BackgroundRuntime runtime) {
    if (runtime.does(Role.JOBS)) {
      wiring.schedule(runtime.jobs());
    }
  }

  /// Nothing to close.
  @Override
  public void close() {}
}
