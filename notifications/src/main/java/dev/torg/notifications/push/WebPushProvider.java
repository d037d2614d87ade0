package dev.torg.notifications.push;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.http.DeliveryHttpClient;
import dev.torg.notifications.http.HttpCallResult.Answered;
import dev.torg.notifications.http.HttpOutcomes;
import dev.torg.notifications.http.RecipientUrl;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

/// Sends pushes to browsers through their push services.
final class WebPushProvider {
  private final VapidTokens tokens;
  private final DeliveryHttpClient http;
  private final InstantSource clock;
  private final WebPushEncryption encryption = new WebPushEncryption();

  /// @param http refuses addresses outside the public network: a subscription can name any address
  WebPushProvider(VapidTokens tokens, DeliveryHttpClient http, InstantSource clock) {
    this.tokens = tokens;
    this.http = http;
    this.clock = clock;
  }

  DeliveryOutcome send(OutgoingMessage message, DeliveryTarget.WebPush device) {
    Optional<URI> endpoint = RecipientUrl.parse(device.endpoint());
    if (endpoint.isEmpty()) {
      return DeliveryOutcome.rejected("bad-endpoint");
    }
    try {
      byte[] body = encrypted(message, device);
      Duration ttl = PushLifetime.of(message, clock.instant());
      return HttpOutcomes.of(
          http.call(request(endpoint.get(), body, ttl)), WebPushProvider::outcome);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return DeliveryOutcome.rejected("bad-keys");
    }
  }

  private byte[] encrypted(OutgoingMessage message, DeliveryTarget.WebPush device)
      throws GeneralSecurityException {
    byte[] json =
        ContentFitting.fit(
            message.content(),
            WebPushEncryption.MAX_PLAINTEXT,
            content -> PushJson.web(message, content));
    return encryption.encrypt(json, decode(device.publicKey()), decode(device.authSecret()));
  }

  private HttpRequest request(URI endpoint, byte[] body, Duration ttl) {
    RequestHeaders headers =
        RequestHeaders.builder(HttpMethod.POST, endpoint.toString())
            .contentType(MediaType.OCTET_STREAM)
            .set(HttpHeaderNames.CONTENT_ENCODING, "aes128gcm")
            .set(HttpHeaderNames.AUTHORIZATION, tokens.authorization(origin(endpoint)))
            .set("ttl", Long.toString(ttl.toSeconds()))
            .set("urgency", "normal")
            .build();
    return HttpRequest.of(headers, HttpData.wrap(body));
  }

  private static String origin(URI endpoint) {
    String scheme = endpoint.getScheme().equals("https") ? "https" : "http";
    return scheme + "://" + endpoint.getRawAuthority();
  }

  /// Base64url with or without padding.
  private static byte[] decode(String base64) {
    return Base64.getUrlDecoder().decode(base64.strip());
  }

  static DeliveryOutcome outcome(Answered answer) {
    return switch (answer.status()) {
      case 404, 410 -> DeliveryOutcome.targetGone("http-" + answer.status());
      default -> HttpOutcomes.ofStatus(answer);
    };
  }
}
