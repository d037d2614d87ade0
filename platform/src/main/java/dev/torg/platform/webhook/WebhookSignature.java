package dev.torg.platform.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs and verifies calls of webhooks as Standard Webhooks 1.0 defines it: HMAC-SHA256 over id, time and body. The
/// receiver recognizes forged, altered and old calls.
public final class WebhookSignature {
  public static final String ID_HEADER = "webhook-id";
  public static final String TIMESTAMP_HEADER = "webhook-timestamp";
  public static final String SIGNATURE_HEADER = "webhook-signature";

  /// How far the time of a call may differ from the receiver's clock.
  public static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final String SECRET_PREFIX = "whsec_";
  private static final String VERSION_PREFIX = "v1,";
  private static final String ALGORITHM = "HmacSHA256";

  private static final int MIN_KEY_BYTES = 24;
  private static final int MAX_KEY_BYTES = 64;

  /// More digits than that are no time.
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");

  private final SecretKeySpec key;

  /// @param secret `whsec_` and the key in base64
  public WebhookSignature(String secret) {
    if (!secret.startsWith(SECRET_PREFIX)) {
      throw new IllegalArgumentException("a secret of a webhook starts with " + SECRET_PREFIX);
    }
    byte[] bytes = Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length()));
    this.key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /// Returns the secret of an operator.
  ///
  /// @throws IllegalArgumentException if it has another form, or is shorter or longer than the standard demands
  public static String checkedSecret(String secret) {
    int bytes = new WebhookSignature(secret).key.getEncoded().length;
    if (bytes < MIN_KEY_BYTES || bytes > MAX_KEY_BYTES) {
      throw new IllegalArgumentException("a secret of a webhook has 24 to 64 bytes");
    }
    return secret;
  }

  /// A key as it is written down.
  public static String secret(byte[] key) {
    return SECRET_PREFIX + Base64.getEncoder().encodeToString(key);
  }

  /// The value of the header `webhook-signature`.
  public String sign(String id, Instant at, String body) {
    if (id.indexOf('.') >= 0) {
      throw new IllegalArgumentException("the id of a message contains no dot");
    }
    return signature(id, Long.toString(at.getEpochSecond()), body.getBytes(StandardCharsets.UTF_8));
  }

  /// Whether a call with these headers is signed with this secret and was signed within the tolerance. The signature
  /// header may have several signatures, separated by spaces.
  public boolean isValid(String id, String timestamp, byte[] body, String signatures, Instant now) {
    if (id.isEmpty() || id.indexOf('.') >= 0 || !isRecent(timestamp, now)) {
      return false;
    }
    byte[] expected = signature(id, timestamp, body).getBytes(StandardCharsets.UTF_8);
    return Arrays.stream(signatures.split(" ", -1))
        .anyMatch(given -> MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8)));
  }

  private static boolean isRecent(String timestamp, Instant now) {
    return SECONDS.matcher(timestamp).matches()
        && Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now)
                .abs()
                .compareTo(TOLERANCE)
            <= 0;
  }

  private String signature(String id, String timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
      return VERSION_PREFIX + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
