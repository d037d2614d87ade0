package dev.torg.notifications.channel;

import dev.torg.notifications.Channel;
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

  /// The provider that reaches a target.
  public static DeliveryProvider of(DeliveryTarget target) {
    return switch (target) {
      case DeliveryTarget.Email _ -> EMAIL;
      case DeliveryTarget.WebPush _ -> WEB_PUSH;
      case DeliveryTarget.Apns _ -> APNS;
      case DeliveryTarget.Fcm _ -> FCM;
      case DeliveryTarget.Phone _ -> SMS;
      case DeliveryTarget.Webhook _ -> WEBHOOK;
    };
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
