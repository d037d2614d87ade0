package dev.torg.notifications.webhook;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.torg.notifications.Channel;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.http.DeliveryHttpClient;
import dev.torg.notifications.http.HttpCallResult.Answered;
import dev.torg.notifications.http.HttpOutcomes;
import dev.torg.notifications.http.RecipientUrl;
import dev.torg.platform.webhook.WebhookSignature;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

/// Calls webhooks.
public final class WebhookSender implements ChannelSender {
  private final DeliveryHttpClient http;
  private final InstantSource clock;

  /// @param http refuses addresses outside the public network
  public WebhookSender(DeliveryHttpClient http, InstantSource clock) {
    this.http = http;
    this.clock = clock;
  }

  @Override
  public Channel channel() {
    return Channel.WEBHOOK;
  }

  @Override
  public boolean isConfigured() {
    return true;
  }

  @Override
  public DeliveryOutcome send(OutgoingMessage message) {
    if (!(message.target() instanceof DeliveryTarget.Webhook webhook)) {
      return DeliveryOutcome.rejected("no-webhook");
    }
    Optional<URI> address = RecipientUrl.parse(webhook.url());
    if (address.isEmpty()) {
      return DeliveryOutcome.rejected("bad-address");
    }
    try {
      WebhookSignature signature = new WebhookSignature(webhook.secret());
      return HttpOutcomes.of(
          http.call(request(address.get(), signature, message)), WebhookSender::outcome);
    } catch (IllegalArgumentException e) {
      return DeliveryOutcome.rejected("bad-secret");
    }
  }

  private HttpRequest request(URI address, WebhookSignature signature, OutgoingMessage message) {
    Instant now = clock.instant();
    String id = id(message);
    String body = WebhookBody.json(message);
    RequestHeaders headers =
        RequestHeaders.builder(HttpMethod.POST, address.toString())
            .contentType(MediaType.JSON)
            .set(HttpHeaderNames.USER_AGENT, "Torg")
            .set(WebhookSignature.ID_HEADER, id)
            .set(WebhookSignature.TIMESTAMP_HEADER, Long.toString(now.getEpochSecond()))
            .set(WebhookSignature.SIGNATURE_HEADER, signature.sign(id, now, body))
            .build();
    return HttpRequest.of(headers, HttpData.ofUtf8(body));
  }

  /// The same for each attempt, so that the receiver can deduplicate.
  private static String id(OutgoingMessage message) {
    String about = message.recipient() + "\n" + message.notificationId();
    return "msg_" + UUID.nameUUIDFromBytes(about.getBytes(StandardCharsets.UTF_8));
  }

  static DeliveryOutcome outcome(Answered answer) {
    return answer.status() == 410
        ? DeliveryOutcome.targetGone("http-410")
        : HttpOutcomes.ofStatus(answer);
  }
}
