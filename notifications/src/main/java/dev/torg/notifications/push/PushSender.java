package dev.torg.notifications.push;

import dev.torg.notifications.Channel;
import dev.torg.notifications.SenderSettings;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.http.DeliveryHttpClient;
import java.io.File;
import java.time.InstantSource;
import java.util.Optional;

/// Sends pushes through the provider of the device.
public final class PushSender implements ChannelSender, AutoCloseable {
  private final Optional<WebPushProvider> webPush;
  private final Optional<FcmProvider> fcm;
  private final Optional<ApnsProvider> apns;

  /// @param providers for addresses that the operator configured
  /// @param recipients for addresses that recipients gave
  public PushSender(
      SenderSettings settings,
      DeliveryHttpClient providers,
      DeliveryHttpClient recipients,
      InstantSource clock) {
    this(settings, providers, recipients, clock, Optional.empty());
  }

  PushSender(
      SenderSettings settings,
      DeliveryHttpClient providers,
      DeliveryHttpClient recipients,
      InstantSource clock,
      Optional<File> apnsCertificates) {
    this.webPush =
        settings
            .vapid()
            .map(vapid -> new WebPushProvider(new VapidTokens(vapid, clock), recipients, clock));
    this.fcm = settings.fcm().map(configured -> new FcmProvider(configured, providers, clock));
    this.apns =
        settings.apns().map(configured -> new ApnsProvider(configured, apnsCertificates, clock));
  }

  @Override
  public Channel channel() {
    return Channel.PUSH;
  }

  @Override
  public boolean isConfigured() {
    return webPush.isPresent() || fcm.isPresent() || apns.isPresent();
  }

  @Override
  public DeliveryOutcome send(OutgoingMessage message) {
    return switch (message.target()) {
      case DeliveryTarget.WebPush device ->
          webPush.map(provider -> provider.send(message, device)).orElse(notConfigured());
      case DeliveryTarget.Fcm device ->
          fcm.map(provider -> provider.send(message, device)).orElse(notConfigured());
      case DeliveryTarget.Apns device ->
          apns.map(provider -> provider.send(message, device)).orElse(notConfigured());
      case DeliveryTarget.Email _, DeliveryTarget.Phone _, DeliveryTarget.Webhook _ ->
          DeliveryOutcome.rejected("no-device");
    };
  }

  private static DeliveryOutcome notConfigured() {
    return DeliveryOutcome.rejected("not-configured");
  }

  @Override
  public void close() {
    apns.ifPresent(ApnsProvider::close);
  }
}
