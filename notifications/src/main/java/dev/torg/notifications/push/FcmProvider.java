package dev.torg.notifications.push;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.torg.notifications.SenderSettings.Fcm;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.http.DeliveryHttpClient;
import dev.torg.notifications.http.HttpCallResult;
import dev.torg.notifications.http.HttpCallResult.Answered;
import dev.torg.notifications.http.HttpOutcomes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/// Sends pushes to Android devices through FCM HTTP v1.
final class FcmProvider {
  private static final int MAX_BYTES = 4096;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String url;
  private final FcmTokens tokens;
  private final DeliveryHttpClient http;
  private final InstantSource clock;

  FcmProvider(Fcm fcm, DeliveryHttpClient http, InstantSource clock) {
    ServiceAccount account = ServiceAccount.read(fcm.credentials());
    this.url = fcm.url() + "/v1/projects/" + account.projectId() + "/messages:send";
    this.tokens = new FcmTokens(account, http, clock);
    this.http = http;
    this.clock = clock;
  }

  DeliveryOutcome send(OutgoingMessage message, DeliveryTarget.Fcm device) {
    Optional<String> accessToken = tokens.token();
    if (accessToken.isEmpty()) {
      return DeliveryOutcome.refused("no-access-token");
    }
    Duration ttl = PushLifetime.of(message, clock.instant());
    byte[] body =
        ContentFitting.fit(
            message.content(),
            MAX_BYTES,
            content -> PushJson.fcm(message, content, device.token(), ttl));
    HttpCallResult result = http.call(request(accessToken.get(), body));
    if (result instanceof Answered answer && answer.status() == 401) {
      tokens.invalidate(accessToken.get());
    }
    return HttpOutcomes.of(result, FcmProvider::outcome);
  }

  private HttpRequest request(String accessToken, byte[] body) {
    RequestHeaders headers =
        RequestHeaders.builder(HttpMethod.POST, url)
            .contentType(MediaType.JSON)
            .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + accessToken)
            .build();
    return HttpRequest.of(headers, HttpData.wrap(body));
  }

  static DeliveryOutcome outcome(Answered answer) {
    if (answer.isSuccess()) {
      return DeliveryOutcome.delivered();
    }
    if (errorCode(answer.body()).equals("UNREGISTERED")) {
      return DeliveryOutcome.targetGone("unregistered");
    }
    return answer.status() == 401
        ? DeliveryOutcome.refused("http-401")
        : HttpOutcomes.ofStatus(answer);
  }

  /// `errorCode` of the details, which is more precise than the status.
  private static String errorCode(String body) {
    try {
      for (JsonNode detail : MAPPER.readTree(body).path("error").path("details")) {
        if (detail.has("errorCode")) {
          return detail.path("errorCode").asText();
        }
      }
    } catch (JsonProcessingException e) {
      return "";
    }
    return "";
  }
}
