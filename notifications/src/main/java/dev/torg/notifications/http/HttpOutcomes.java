package dev.torg.notifications.http;

import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.http.HttpCallResult.Answered;
import dev.torg.notifications.http.HttpCallResult.Lost;
import dev.torg.notifications.http.HttpCallResult.NotSent;
import dev.torg.notifications.http.HttpCallResult.PrivateAddress;
import java.util.function.Function;

/// Maps results of HTTP calls to outcomes.
public final class HttpOutcomes {
  private HttpOutcomes() {}

  /// @param answered maps the answers of the provider
  public static DeliveryOutcome of(
      HttpCallResult result, Function<Answered, DeliveryOutcome> answered) {
    return switch (result) {
      case Answered answer -> answered.apply(answer);
      case NotSent notSent -> DeliveryOutcome.refused(notSent.reason());
      case PrivateAddress _ -> DeliveryOutcome.rejected("private-address");
      case Lost lost -> DeliveryOutcome.unknown(lost.reason());
    };
  }

  /// The usual meaning of a status. After an error of the server, except 503, the message may have been processed.
  public static DeliveryOutcome ofStatus(Answered answer) {
    String reason = "http-" + answer.status();
    return switch (answer.status()) {
      case 408, 425, 429, 503 -> new DeliveryOutcome.Refused(reason, answer.retryAfter());
      default -> {
        if (answer.isSuccess()) {
          yield DeliveryOutcome.delivered();
        }
        yield answer.status() >= 500
            ? DeliveryOutcome.unknown(reason)
            : DeliveryOutcome.rejected(reason);
      }
    };
  }
}
