package dev.torg.server.run;

import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.SenderSettings;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.push.PushKeys;
import dev.torg.notifications.wiring.ChannelsWiring;
import dev.torg.server.config.Configuration;
import dev.torg.server.config.InvalidSettingException;
import dev.torg.server.outbox.DevelopmentOutboxRoute;
import dev.torg.server.route.HttpRoute;
import java.util.List;
import java.util.Map;

/// The senders of mails, pushes, SMS and webhooks, and the development outbox.
final class ChannelsModule implements Module {
  private final Configuration configuration;
  private final ChannelsWiring wiring;

  ChannelsModule(ProcessContext context) {
    configuration = context.configuration();
    checkKeys(configuration.senders());
    wiring = new ChannelsWiring(context.module(), configuration.senders());
  }

  /// The content of keys and key files.
  private static void checkKeys(SenderSettings settings) {
    check("push-vapid-private-key", () -> settings.vapid().ifPresent(PushKeys::check));
    check("push-apns-key", () -> settings.apns().ifPresent(PushKeys::check));
    check("push-fcm-credentials", () -> settings.fcm().ifPresent(PushKeys::check));
  }

  private static void check(String setting, Runnable check) {
    try {
      check.run();
    } catch (IllegalArgumentException e) {
      throw new InvalidSettingException(setting, "is invalid: " + e.getMessage());
    }
  }

  /// For codes that verify contacts.
  List<ChannelSender> senders() {
    return wiring.senders();
  }

  /// For the delivery of notifications.
  Map<DeliveryProvider, ChannelSender> providers() {
    return wiring.providers();
  }

  @Override
  public List<HttpRoute> routes() {
    return List.of(
        new DevelopmentOutboxRoute(wiring.developmentOutbox(), configuration.login()).route());
  }

  @Override
  public void close() {
    wiring.close();
  }
}
