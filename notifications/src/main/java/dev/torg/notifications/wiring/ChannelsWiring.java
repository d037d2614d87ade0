package dev.torg.notifications.wiring;

import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.DevelopmentOutbox;
import dev.torg.notifications.SenderSettings;
import dev.torg.notifications.captured.CapturedMessageStore;
import dev.torg.notifications.captured.CapturingEmailSender;
import dev.torg.notifications.captured.CapturingSmsSender;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.FailsafeSender;
import dev.torg.notifications.channel.UnconfiguredSender;
import dev.torg.notifications.email.EmailSender;
import dev.torg.notifications.http.DeliveryHttpClient;
import dev.torg.notifications.http.HttpTimeouts;
import dev.torg.notifications.push.PushSender;
import dev.torg.notifications.sms.SmsSender;
import dev.torg.notifications.webhook.WebhookSender;
import dev.torg.platform.module.ModuleContext;
import dev.torg.platform.net.HostResolver;
import dev.torg.platform.net.PublicHostResolver;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Builds the senders of all channels.
public final class ChannelsWiring implements AutoCloseable {
  private final SenderSettings settings;
  private final InstantSource clock;
  private final DeliveryHttpClient providers;
  private final DeliveryHttpClient recipients;
  private final CapturedMessageStore captured;
  private final Optional<EmailSender> email;
  private final PushSender push;
  private final List<ChannelSender> senders;

  public ChannelsWiring(ModuleContext context, SenderSettings settings) {
    this.settings = settings;
    this.clock = context.clock();
    ContentLinks links = new ContentLinks(settings.publicUrl());
    this.providers = DeliveryHttpClient.forProviders(HttpTimeouts.defaults(), clock);
    this.recipients =
        DeliveryHttpClient.forRecipients(
            new PublicHostResolver(HostResolver.SYSTEM, settings.internalHosts()),
            HttpTimeouts.defaults(),
            clock);
    this.captured = new CapturedMessageStore(context.database(), clock);
    this.email =
        settings
            .smtp()
            .map(
                server ->
                    new EmailSender(server, settings.mailFrom(), links, Optional.empty(), clock));
    this.push = new PushSender(settings, providers, recipients, clock);
    this.senders =
        Stream.of(
                email(settings, links),
                push,
                sms(settings, links),
                new WebhookSender(recipients, clock))
            .<ChannelSender>map(FailsafeSender::new)
            .toList();
  }

  private ChannelSender email(SenderSettings settings, ContentLinks links) {
    if (email.isPresent()) {
      return email.get();
    }
    return settings.captures()
        ? new CapturingEmailSender(captured, links)
        : new UnconfiguredSender(Channel.EMAIL);
  }

  private ChannelSender sms(SenderSettings settings, ContentLinks links) {
    if (settings.smsGateway().isPresent()) {
      return new SmsSender(settings.smsGateway().get(), links, providers);
    }
    return settings.captures()
        ? new CapturingSmsSender(captured, links)
        : new UnconfiguredSender(Channel.SMS);
  }

  /// One for each channel.
  public List<ChannelSender> senders() {
    return senders;
  }

  /// Those of the providers that are configured.
  public Map<DeliveryProvider, ChannelSender> providers() {
    Map<DeliveryProvider, ChannelSender> configured = new EnumMap<>(DeliveryProvider.class);
    for (ChannelSender sender : senders) {
      for (DeliveryProvider provider : DeliveryProvider.values()) {
        if (provider.channel() == sender.channel() && isConfigured(provider, sender)) {
          configured.put(provider, sender);
        }
      }
    }
    return configured;
  }

  private boolean isConfigured(DeliveryProvider provider, ChannelSender sender) {
    return switch (provider) {
      case WEB_PUSH -> settings.vapid().isPresent();
      case APNS -> settings.apns().isPresent();
      case FCM -> settings.fcm().isPresent();
      case EMAIL, SMS, WEBHOOK -> sender.isConfigured();
    };
  }

  /// The mails and SMS that were captured instead of being sent.
  public DevelopmentOutbox developmentOutbox() {
    return captured;
  }

  /// Called when nothing is sent any more.
  @Override
  public void close() {
    email.ifPresent(EmailSender::close);
    push.close();
    recipients.close();
    providers.close();
  }
}
