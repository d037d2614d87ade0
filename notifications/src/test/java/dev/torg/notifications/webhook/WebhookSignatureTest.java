package dev.torg.notifications.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

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
}
