package dev.torg.notifications.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs calls of webhooks as Standard Webhooks 1.0 defines it: HMAC-SHA256 over id, time and body. The receiver
/// recognizes forged, altered and old calls.
final class WebhookSignature {
  private static final String SECRET_PREFIX = "whsec_";
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /// @param secret `whsec_` and the key in base64
  WebhookSignature(String secret) {
    if (!secret.startsWith(SECRET_PREFIX)) {
      throw new IllegalArgumentException("a secret of a webhook starts with " + SECRET_PREFIX);
    }
    byte[] bytes = Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length()));
    this.key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /// The value of the header `webhook-signature`.
  String sign(String id, Instant at, String body) {
    if (id.indexOf('.') >= 0) {
      throw new IllegalArgumentException("the id of a message contains no dot");
    }
    String signed = id + "." + at.getEpochSecond() + "." + body;
    return "v1," + Base64.getEncoder().encodeToString(hmac(signed));
  }

  private byte[] hmac(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
