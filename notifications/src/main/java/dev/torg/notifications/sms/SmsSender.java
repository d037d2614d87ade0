package dev.torg.notifications.sms;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.torg.notifications.Channel;
import dev.torg.notifications.SenderSettings.SmsGateway;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.http.DeliveryHttpClient;
import dev.torg.notifications.http.HttpCallResult.Answered;
import dev.torg.notifications.http.HttpOutcomes;
import dev.torg.notifications.http.RecipientUrl;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/// Sends SMS through the configured HTTP gateway.
public final class SmsSender implements ChannelSender {
  private final SmsGateway gateway;
  private final ContentLinks links;
  private final DeliveryHttpClient http;

  public SmsSender(SmsGateway gateway, ContentLinks links, DeliveryHttpClient http) {
    this.gateway = gateway;
    this.links = links;
    this.http = http;
  }

  @Override
  public Channel channel() {
    return Channel.SMS;
  }

  @Override
  public boolean isConfigured() {
    return true;
  }

  @Override
  public DeliveryOutcome send(OutgoingMessage message) {
    if (!(message.target() instanceof DeliveryTarget.Phone phone)) {
      return DeliveryOutcome.rejected("no-phone");
    }
    Map<String, String> values =
        Map.of(
            "to", phone.number(),
            "text", SmsText.of(message.content(), links, gateway.maxSegments()),
            "id", message.notificationId());
    Optional<URI> address = RecipientUrl.parse(SmsTemplate.url(gateway.url(), values));
    return address.isEmpty()
        ? DeliveryOutcome.rejected("bad-gateway-address")
        : HttpOutcomes.of(http.call(request(address.get(), values)), this::outcome);
  }

  private HttpRequest request(URI address, Map<String, String> values) {
    HttpMethod method = HttpMethod.valueOf(gateway.method());
    RequestHeadersBuilder headers =
        RequestHeaders.builder(method, address.toString()).set(HttpHeaderNames.USER_AGENT, "Torg");
    gateway
        .headers()
        .forEach(header -> headers.set(header.name(), SmsTemplate.header(header.value(), values)));
    if (method == HttpMethod.GET) {
      return HttpRequest.of(headers.build());
    }
    headers.set(HttpHeaderNames.CONTENT_TYPE, gateway.contentType());
    String body = SmsTemplate.body(gateway.body(), gateway.contentType(), values);
    return HttpRequest.of(headers.build(), HttpData.ofUtf8(body));
  }

  /// Wrong credentials are the operator's mistake, which does not concern the message.
  private DeliveryOutcome outcome(Answered answer) {
    if (gateway.successStatuses().contains(answer.status())) {
      return DeliveryOutcome.delivered();
    }
    String reason = "http-" + answer.status();
    return switch (answer.status()) {
      case 401, 403 -> DeliveryOutcome.refused(reason);
      default ->
          answer.isSuccess() ? DeliveryOutcome.rejected(reason) : HttpOutcomes.ofStatus(answer);
    };
  }
}
