package dev.torg.notifications.push;

import com.eatthepath.pushy.apns.PushNotificationResponse;
import dev.torg.notifications.channel.DeliveryOutcome;
import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Maps responses of APNs to outcomes.
final class ApnsOutcomes {
  private ApnsOutcomes() {}

  static DeliveryOutcome of(PushNotificationResponse<?> response) {
    return response.isAccepted()
        ? DeliveryOutcome.delivered()
        : ofReason(response.getRejectionReason().orElse("unknown"));
  }

  /// A token of another app, and wrong credentials of ours, do not mean that the device is gone.
  static DeliveryOutcome ofReason(String apnsReason) {
    String reason = code(apnsReason);
    return switch (apnsReason) {
      case "BadDeviceToken", "Unregistered", "ExpiredToken" -> DeliveryOutcome.targetGone(reason);
      case "TooManyRequests",
          "TooManyProviderTokenUpdates",
          "ServiceUnavailable",
          "Shutdown",
          "IdleTimeout",
          "ExpiredProviderToken",
          "InvalidProviderToken",
          "MissingProviderToken" ->
          DeliveryOutcome.refused(reason);
      case "InternalServerError" -> DeliveryOutcome.unknown(reason);
      default -> DeliveryOutcome.rejected(reason);
    };
  }

  /// `bad-device-token` for BadDeviceToken.
  private static String code(String apnsReason) {
    return apnsReason.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  static String connectReason(@Nullable Throwable cause) {
    return switch (cause) {
      case ConnectTimeoutException _ -> "timeout";
      case ConnectException _ -> "connection-refused";
      case UnknownHostException _ -> "unknown-host";
      case SSLException _ -> "tls-failed";
      case null, default -> "not-connected";
    };
  }
}
