package dev.torg.notifications.channel;

import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryProvider;

/// An address or device that a message is sent to.
public sealed interface DeliveryTarget {
  Channel channel();

  /// The provider that reaches the target.
  default DeliveryProvider provider() {
    return switch (this) {
      case Email _ -> DeliveryProvider.EMAIL;
      case WebPush _ -> DeliveryProvider.WEB_PUSH;
      case Apns _ -> DeliveryProvider.APNS;
      case Fcm _ -> DeliveryProvider.FCM;
      case Phone _ -> DeliveryProvider.SMS;
      case Webhook _ -> DeliveryProvider.WEBHOOK;
    };
  }

  record Email(String address) implements DeliveryTarget {
    @Override
    public Channel channel() {
      return Channel.EMAIL;
    }
  }

  /// A telephone that receives SMS.
  ///
  /// @param number in international form: `+4915112345678`
  record Phone(String number) implements DeliveryTarget {
    @Override
    public Channel channel() {
      return Channel.SMS;
    }
  }

  /// An HTTP address that is called with a signed body.
  ///
  /// @param secret the key of the signature: `whsec_…`
  record Webhook(String url, String secret) implements DeliveryTarget {
    @Override
    public Channel channel() {
      return Channel.WEBHOOK;
    }
  }

  /// A device that receives pushes.
  sealed interface Device extends DeliveryTarget {
    String deviceId();

    /// Empty if unknown.
    String appVersion();

    @Override
    default Channel channel() {
      return Channel.PUSH;
    }
  }

  /// A browser's push subscription.
  ///
  /// @param publicKey `p256dh` of the browser's subscription, base64url
  /// @param authSecret `auth` of the browser's subscription, base64url
  record WebPush(
      String deviceId, String appVersion, String endpoint, String publicKey, String authSecret)
      implements Device {}

  record Fcm(String deviceId, String appVersion, String token) implements Device {}

  record Apns(String deviceId, String appVersion, String token) implements Device {}
}
