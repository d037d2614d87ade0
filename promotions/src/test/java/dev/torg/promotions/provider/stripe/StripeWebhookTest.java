package dev.torg.promotions.provider.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.torg.platform.Failure;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentProviderSettings.Stripe;
import dev.torg.promotions.provider.TestCheckouts;
import dev.torg.promotions.provider.WebhookEvent;
import dev.torg.promotions.provider.WebhookEvent.Kind;
import dev.torg.promotions.provider.WebhookRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StripeWebhookTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final String SECRET = "whsec_test_secret";

  private final PaymentId id = TestCheckouts.id();
  private final StripeProvider provider =
      new StripeProvider(
          new Stripe(URI.create("http://127.0.0.1:1"), "sk_test", SECRET, "https://torg.example"));

  private String event(String type, String status) {
    return """
        {"id": "evt_1", "object": "event", "type": "%s", "data": {"object": {"id": "cs_1", "payment_status": "%s",
         "metadata": {"torg_payment": "%s"}, "amount_total": 750, "amount_refunded": 250, "currency": "eur"}}}
        """
        .formatted(type, status, id);
  }

  private static String signature(String secret, Instant at, String body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      String signed = at.getEpochSecond() + "." + body;
      return "t=%d,v1=%s"
          .formatted(
              at.getEpochSecond(),
              HexFormat.of().formatHex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private WebhookEvent verify(String header, String body) {
    return provider.verify(
        new WebhookRequest(Map.of("stripe-signature", header), ByteString.copyFromUtf8(body)), NOW);
  }

  private WebhookEvent verifySigned(String body) {
    return verify(signature(SECRET, NOW, body), body);
  }

  private void assertRefused(String header, String body, String code) {
    assertThatThrownBy(() -> verify(header, body))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo(code));
  }

  @ParameterizedTest
  @CsvSource({
    "checkout.session.completed, paid, PAID",
    "checkout.session.completed, unpaid, OTHER",
    "checkout.session.async_payment_succeeded, paid, PAID",
    "checkout.session.async_payment_failed, unpaid, DECLINED",
    "checkout.session.expired, unpaid, DECLINED"
  })
  void verify_eventOfASession_isRead(String type, String status, Kind kind) {
    assertThat(verifySigned(event(type, status)))
        .isEqualTo(
            new WebhookEvent(
                "evt_1", kind, Optional.of(id), "cs_1", Optional.of(TestCheckouts.eur(750))));
  }

  @Test
  void verify_refundOfACharge_hasWhatWasReturned() {
    assertThat(verifySigned(event("charge.refunded", "")))
        .isEqualTo(
            new WebhookEvent(
                "evt_1", Kind.REFUNDED, Optional.of(id), "", Optional.of(TestCheckouts.eur(250))));
  }

  @Test
  void verify_anotherTypeOrPaymentOfAnotherSystem_isOfNoConsequence() {
    assertThat(verifySigned("{\"id\": \"evt_2\", \"type\": \"customer.created\"}"))
        .isEqualTo(new WebhookEvent("evt_2", Kind.OTHER, Optional.empty(), "", Optional.empty()));
    String foreign = event("checkout.session.completed", "paid").replace(id.text(), "order-7");
    assertThat(verifySigned(foreign).paymentId()).isEmpty();
  }

  @Test
  void verify_otherSecretOrAlteredBody_isRefused() {
    String body = event("checkout.session.completed", "paid");
    String code = "webhook.signature-invalid";
    assertRefused(signature("whsec_other", NOW, body), body, code);
    String header = signature(SECRET, NOW, body);
    assertRefused(header, body.replace("750", "1"), code);
    assertRefused(header, body.replace("eur", "usd"), code);
    assertRefused(header, body.replace(id.text(), TestCheckouts.id().text()), code);
    assertRefused(signature(SECRET, NOW.minusSeconds(301), body), body, code);
    assertRefused(header.replace("t=", "t=1"), body, code);
  }

  @Test
  void verify_signedWithinTheTolerance_isAccepted() {
    String body = event("checkout.session.completed", "paid");
    assertThat(verify(signature(SECRET, NOW.minusSeconds(300), body), body).kind())
        .isEqualTo(Kind.PAID);
    String rotated =
        signature("whsec_former", NOW, body).replace("v1=", "v1=00,v1=")
            + signature(SECRET, NOW, body).replaceFirst("t=\\d+", "");
    assertThat(verify(rotated, body).kind()).isEqualTo(Kind.PAID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "t", "t=", "t=x,v1=y", "v1=y", "t=1777888800", "=,=,=", "t=1,v1="})
  void verify_malformedHeader_isRefused(String header) {
    assertRefused(header, event("checkout.session.completed", "paid"), "webhook.signature-invalid");
  }

  /// The signature is checked before the body is read.
  @Test
  void verify_unsignedNonsense_isRefusedForItsSignature() {
    assertRefused("t=1,v1=00", "{", "webhook.signature-invalid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{\"id\":\"e\"}",
        "{\"id\":\"e\",\"type\":\"checkout.session.expired\"}",
        "{\"id\":\"e\",\"type\":\"checkout.session.expired\",\"data\":{\"object\":{\"id\":\"c\",\"amount_total\":5,\"currency\":\"zzz\"}}}",
        "{\"id\":\"e\",\"type\":\"checkout.session.expired\",\"data\":{\"object\":{\"id\":\"c\",\"amount_total\":-5,\"currency\":\"eur\"}}}",
        "{\"id\":\"e\",\"type\":\"checkout.session.expired\",\"data\":{\"object\":{\"id\":\"c\",\"amount_total\":\"5\",\"currency\":\"eur\"}}}"
      })
  void verify_signedNonsense_isMalformed(String body) {
    assertRefused(signature(SECRET, NOW, body), body, "webhook.malformed");
  }
}
