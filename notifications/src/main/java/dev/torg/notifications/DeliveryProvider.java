package dev.torg.notifications;

import java.util.Locale;

/// A kind of service that takes messages. One that is slow or fails affects the messages of its channel only.
public enum DeliveryProvider {
  EMAIL(Channel.EMAIL, ""),
  WEB_PUSH(Channel.PUSH, "web"),
  APNS(Channel.PUSH, "ios"),
  FCM(Channel.PUSH, "android"),
  SMS(Channel.SMS, ""),
  WEBHOOK(Channel.WEBHOOK, "");

  private final Channel channel;
  private final String platform;

  DeliveryProvider(Channel channel, String platform) {
    this.channel = channel;
    this.platform = platform;
  }

  public Channel channel() {
    return channel;
  }

  /// The platform of its devices as requests name it; otherwise empty.
  public String platform() {
    return platform;
  }

  /// For metrics: `web-push`.
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
