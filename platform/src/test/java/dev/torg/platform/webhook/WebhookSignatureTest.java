package dev.torg.platform.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSignatureTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final Instant AT = Instant.ofEpochSecond(1614265330);
  private static final String BODY = "{\"test\": 2432232314}";

  /// The example that the libraries of Standard Webhooks are tested with.
  @Test
  void sign_publishedExample_givesItsSignature() {
    assertThat(new WebhookSignature(SECRET).sign(ID, AT, BODY))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void sign_otherIdTimeOrBody_givesAnotherSignature() {
    WebhookSignature signature = new WebhookSignature(SECRET);
    assertThat(signature.sign(ID, AT, BODY))
        .isNotEqualTo(signature.sign(ID + "x", AT, BODY))
        .isNotEqualTo(signature.sign(ID, AT.plusSeconds(1), BODY))
        .isNotEqualTo(signature.sign(ID, AT, BODY + " "));
  }

  /// With a dot in the id, another id, time and body would have the same signature.
  @Test
  void sign_idWithDot_isRefused() {
    assertThatThrownBy(() -> new WebhookSignature(SECRET).sign("a.1", AT, BODY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void new_secretWithoutPrefix_isRefused() {
    assertThatThrownBy(() -> new WebhookSignature("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static boolean isValid(
      String id, String timestamp, String body, String signatures, Instant now) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new WebhookSignature(SECRET).isValid(id, timestamp, bytes, signatures, now);
  }

  private static String signature() {
    return new WebhookSignature(SECRET).sign(ID, AT, BODY);
  }

  @ParameterizedTest
  @ValueSource(longs = {-300, 0, 300})
  void isValid_withinTheTolerance_isTrue(long secondsLater) {
    assertThat(isValid(ID, "1614265330", BODY, signature(), AT.plusSeconds(secondsLater))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {-301, 301, 86_400})
  void isValid_outsideTheTolerance_isFalse(long secondsLater) {
    assertThat(isValid(ID, "1614265330", BODY, signature(), AT.plusSeconds(secondsLater)))
        .isFalse();
  }

  @Test
  void isValid_oneOfSeveralSignatures_isTrue() {
    assertThat(isValid(ID, "1614265330", BODY, "v1,AAAA v1a,x " + signature(), AT)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "msg_other, 1614265330, body",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, 1614265331, body",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, 1614265330, other",
    "'', 1614265330, body",
    "a.b, 1614265330, body",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, '', body",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, -1614265330, body",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, 99999999999999999999, body",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, soon, body"
  })
  void isValid_alteredIdTimeOrBody_isFalse(String id, String timestamp, String body) {
    String text = body.equals("body") ? BODY : body;
    assertThat(isValid(id, timestamp, text, signature(), AT)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "v1,", "v1,g0hM9SsE", "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="})
  void isValid_noOrIncompleteSignature_isFalse(String signatures) {
    assertThat(isValid(ID, "1614265330", BODY, signatures, AT)).isFalse();
  }

  @Test
  void isValid_anotherSecret_isFalse() {
    String other =
        new WebhookSignature(WebhookSignature.secret(new byte[] {1, 2})).sign(ID, AT, BODY);
    assertThat(isValid(ID, "1614265330", BODY, other, AT)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 64})
  void checkedSecret_allowedLength_isReturned(int bytes) {
    String secret = WebhookSignature.secret(new byte[bytes]);
    assertThat(WebhookSignature.checkedSecret(secret)).isEqualTo(secret);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"secret", "whsec_", "whsec_c2hvcnQ=", "whsec_not base64 at all, not at all!!"})
  void checkedSecret_otherFormOrLength_isRefused(String secret) {
    assertThatThrownBy(() -> WebhookSignature.checkedSecret(secret))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
