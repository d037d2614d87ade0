package dev.torg.promotions.provider.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.torg.platform.Failure;
import dev.torg.platform.webhook.WebhookSignature;
import dev.torg.promotions.provider.PaymentProvider;
import dev.torg.promotions.provider.TestCheckouts;
import dev.torg.promotions.provider.WebhookEvent;
import dev.torg.promotions.provider.WebhookRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the sandbox accepts as its own webhooks. No database is needed: nothing is read before the signature is checked.
class SandboxWebhookVerificationTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final WebhookSignature CURRENT = signature(1);
  private static final WebhookSignature FORMER = signature(2);

  private final SandboxPayment payment =
      new SandboxPayment(
          TestCheckouts.id(),
          SandboxStatus.PAID,
          1,
          TestCheckouts.eur(750),
          0,
          "Golf",
          "",
          List.of());
  private final String body = SandboxEvent.json(payment, NOW);
  private final SandboxProvider provider =
      new SandboxProvider(null, "http://localhost", () -> List.of(CURRENT, FORMER));

  private static WebhookSignature signature(int seed) {
    byte[] key = new byte[32];
    new Random(seed).nextBytes(key);
    return new WebhookSignature(WebhookSignature.secret(key));
  }

  private static WebhookRequest request(WebhookSignature key, Instant at, String id, String body) {
    return signed(id, at, key.sign(id, at, body), body);
  }

  private static WebhookRequest signed(String id, Instant at, String signature, String body) {
    return new WebhookRequest(
        Map.of(
            "webhook-id", id,
            "webhook-timestamp", Long.toString(at.getEpochSecond()),
            "webhook-signature", signature),
        ByteString.copyFromUtf8(body));
  }

  private void assertRefused(WebhookRequest request, Failure.Kind kind, String code) {
    assertThatThrownBy(() -> provider.verify(request, NOW))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(kind);
              assertThat(failure.code()).isEqualTo(code);
            });
  }

  private void assertUnauthenticated(WebhookRequest request) {
    assertRefused(request, Failure.Kind.UNAUTHENTICATED, "webhook.signature-invalid");
  }

  @Test
  void verify_ownWebhook_isTheEvent() {
    WebhookEvent expected =
        new WebhookEvent(
            payment.eventId(),
            WebhookEvent.Kind.PAID,
            Optional.of(payment.id()),
            "sandbox_" + payment.id(),
            Optional.of(TestCheckouts.eur(750)));
    assertThat(provider.verify(request(CURRENT, NOW, payment.eventId(), body), NOW))
        .isEqualTo(expected);
    assertThat(provider.verify(request(FORMER, NOW, payment.eventId(), body), NOW))
        .isEqualTo(expected);
    assertThat(provider.read(ByteString.copyFromUtf8(body))).isEqualTo(expected);
  }

  @Test
  void verify_otherKey_isRefused() {
    assertUnauthenticated(request(signature(3), NOW, payment.eventId(), body));
  }

  @Test
  void verify_oldTimestamp_isRefused() {
    assertUnauthenticated(request(CURRENT, NOW.minusSeconds(301), payment.eventId(), body));
    assertUnauthenticated(request(CURRENT, NOW.plusSeconds(301), payment.eventId(), body));
  }

  @Test
  void verify_changedAmountCurrencyOrPayment_isRefused() {
    String signature = CURRENT.sign(payment.eventId(), NOW, body);
    List.of(
            body.replace("750", "1"),
            body.replace("EUR", "USD"),
            body.replace(payment.id().text(), TestCheckouts.id().text()),
            body + " ")
        .forEach(
            altered -> {
              assertThat(altered).isNotEqualTo(body);
              assertUnauthenticated(signed(payment.eventId(), NOW, signature, altered));
            });
  }

  @Test
  void verify_noHeaders_isRefused() {
    assertUnauthenticated(new WebhookRequest(Map.of(), ByteString.copyFromUtf8(body)));
  }

  /// A body that cannot be read is not read: the signature is checked first.
  @Test
  void verify_unsignedNonsense_isRefusedForItsSignature() {
    assertUnauthenticated(request(signature(3), NOW, payment.eventId(), "{"));
  }

  @Test
  void verify_idOfAnotherEvent_isRefused() {
    assertRefused(request(CURRENT, NOW, "other", body), Failure.Kind.INVALID, "webhook.malformed");
  }

  @Test
  void new_oversizedBody_isRefusedBeforeAnythingElse() {
    ByteString large = ByteString.copyFrom(new byte[PaymentProvider.MAX_WEBHOOK_BYTES + 1]);
    assertThatThrownBy(() -> new WebhookRequest(Map.of(), large))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo("webhook.too-large"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "null",
        "[]",
        "\"text\"",
        "{}",
        "{\"id\":1,\"type\":\"payment.paid\"}",
        "{\"id\":\"e\",\"type\":\"\"}",
        "{\"id\":\"e\",\"type\":\"payment.paid\",\"payment\":{\"amount\":1.5,\"currency\":\"EUR\"}}",
        "{\"id\":\"e\",\"type\":\"payment.paid\",\"payment\":{\"amount\":\"5\",\"currency\":\"EUR\"}}",
        "{\"id\":\"e\",\"type\":\"payment.paid\",\"payment\":{\"amount\":-5,\"currency\":\"EUR\"}}",
        "{\"id\":\"e\",\"type\":\"payment.paid\",\"payment\":{\"amount\":5,\"currency\":\"XYZ\"}}",
        "{\"id\":\"e\",\"type\":\"payment.paid\",\"payment\":{\"amount\":99999999999999999999}}"
      })
  void verify_signedNonsense_isMalformed(String nonsense) {
    assertRefused(request(CURRENT, NOW, "e", nonsense), Failure.Kind.INVALID, "webhook.malformed");
  }

  @Test
  void read_unknownTypeOrPayment_isOfNoConsequence() {
    WebhookEvent event =
        provider.read(
            ByteString.copyFromUtf8("{\"id\":\"e\",\"type\":\"x\",\"payment\":{\"id\":\"7\"}}"));
    assertThat(event.kind()).isEqualTo(WebhookEvent.Kind.OTHER);
    assertThat(event.paymentId()).isEmpty();
    assertThat(event.amount()).isEmpty();
  }
}
