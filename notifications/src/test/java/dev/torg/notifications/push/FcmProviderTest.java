package dev.torg.notifications.push;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jwt.SignedJWT;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.TestMessages;
import dev.torg.notifications.http.DeliveryHttpClient;
import dev.torg.notifications.http.TestEndpoint;
import dev.torg.notifications.http.TestTimeouts;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Against a local server that issues tokens and accepts messages.
class FcmProviderTest {
  private static final DeliveryTarget.Fcm DEVICE =
      new DeliveryTarget.Fcm("d1", "1.0", "device-token");

  private static final KeyPair KEYS = keys();

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-05-04T10:00:00Z"));
  private final AtomicInteger issued = new AtomicInteger();
  private final TestEndpoint google = new TestEndpoint();
  private volatile HttpResponse tokenAnswer;
  private volatile String error = "";
  private volatile int status = 200;
  private DeliveryHttpClient http;
  private FcmProvider provider;

  @TempDir Path directory;

  /// Once: generating a key takes seconds on a busy machine.
  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void open() throws Exception {
    google.answers(this::answer);
    http = DeliveryHttpClient.forProviders(TestTimeouts.LONG, now::get);
    provider =
        new FcmProvider(
            PushTestKeys.fcm(
                google.url(),
                PushTestKeys.serviceAccount(directory, KEYS, google.url() + "/token")),
            http,
            now::get);
  }

  private HttpResponse answer(AggregatedHttpRequest request) {
    if (request.path().equals("/token")) {
      return tokenAnswer != null
          ? tokenAnswer
          : HttpResponse.of(
              MediaType.JSON,
              "{\"access_token\":\"token-%d\",\"expires_in\":3600}"
                  .formatted(issued.incrementAndGet()));
    }
    return HttpResponse.of(HttpStatus.valueOf(status), MediaType.JSON, error);
  }

  @AfterEach
  void close() {
    http.close();
    google.close();
  }

  private DeliveryOutcome send(MessageContent content) {
    return provider.send(TestMessages.to(DEVICE, content), DEVICE);
  }

  private List<AggregatedHttpRequest> pushes() {
    return google.requests().stream().filter(each -> !each.path().equals("/token")).toList();
  }

  @Test
  void send_messageThatExpires_isNotKeptLonger() throws Exception {
    provider.send(TestMessages.expiring(DEVICE, now.get().plusSeconds(90)), DEVICE);
    provider.send(TestMessages.expiring(DEVICE, now.get().plusSeconds(1_000_000)), DEVICE);
    assertThat(message(pushes().get(0)).at("/android/ttl").asText()).isEqualTo("90s");
    assertThat(message(pushes().get(1)).at("/android/ttl").asText()).isEqualTo("86400s");
  }

  private static JsonNode message(AggregatedHttpRequest push) throws Exception {
    return new ObjectMapper().readTree(push.contentUtf8()).path("message");
  }

  @Test
  void send_googleVerifiesTheAssertion_once() throws Exception {
    assertThat(send(TestMessages.CONTENT)).isEqualTo(DeliveryOutcome.delivered());
    assertThat(send(TestMessages.CONTENT)).isEqualTo(DeliveryOutcome.delivered());
    assertThat(issued).hasValue(1);
    QueryParams form = QueryParams.fromQueryString(google.requests().getFirst().contentUtf8());
    assertThat(form.get("grant_type")).isEqualTo("urn:ietf:params:oauth:grant-type:jwt-bearer");
    SignedJWT assertion = SignedJWT.parse(form.get("assertion"));
    assertThat(assertion.verify(new RSASSAVerifier((RSAPublicKey) KEYS.getPublic()))).isTrue();
    assertThat(assertion.getJWTClaimsSet().getIssuer()).isEqualTo("push@torg-test.example");
    assertThat(assertion.getJWTClaimsSet().getStringClaim("scope"))
        .isEqualTo("https://www.googleapis.com/auth/firebase.messaging");
    assertThat(pushes())
        .allSatisfy(
            push ->
                assertThat(push.headers().get(HttpHeaderNames.AUTHORIZATION))
                    .isEqualTo("Bearer token-1"));
  }

  @Test
  void send_tokenExpires_isRefreshedBefore() {
    send(TestMessages.CONTENT);
    now.updateAndGet(time -> time.plus(Duration.ofMinutes(59)));
    send(TestMessages.CONTENT);
    assertThat(issued).hasValue(2);
    assertThat(pushes().get(1).headers().get(HttpHeaderNames.AUTHORIZATION))
        .isEqualTo("Bearer token-2");
  }

  @Test
  void send_messageWithButtons_isDataOnly() throws Exception {
    send(TestMessages.CONTENT);
    AggregatedHttpRequest push = pushes().getFirst();
    assertThat(push.path()).isEqualTo("/v1/projects/torg-test/messages:send");
    JsonNode message = message(push);
    assertThat(message.path("token").asText()).isEqualTo("device-token");
    assertThat(message.has("notification")).isFalse();
    JsonNode data = message.path("data");
    assertThat(data.path("id").asText()).isEqualTo("1001");
    assertThat(data.path("title").asText()).isEqualTo("VW Golf for <sale>");
    assertThat(data.path("link").asText()).isEqualTo("torg://offers/7");
    assertThat(data.path("payload").asText()).isEqualTo("{\"id\":\"7\"}");
    assertThat(new ObjectMapper().readTree(data.path("buttons").asText())).hasSize(2);
    assertThat(data).allSatisfy(value -> assertThat(value.isTextual()).isTrue());
  }

  @Test
  void send_messageWithoutButtons_isShownByAndroid() throws Exception {
    send(MessageContent.of("Title", "Text"));
    JsonNode message = message(pushes().getFirst());
    assertThat(message.path("notification").path("title").asText()).isEqualTo("Title");
    assertThat(message.path("notification").path("body").asText()).isEqualTo("Text");
    assertThat(message.path("data").path("id").asText()).isEqualTo("1001");
  }

  @Test
  void send_longText_isShortenedToTheLimit() {
    send(MessageContent.of("Title", "я".repeat(10_000)));
    assertThat(pushes().getFirst().content().length()).isBetween(4080, 4096);
  }

  @ParameterizedTest
  @CsvSource({
    "404, UNREGISTERED, TargetGone",
    "404, , Rejected",
    "400, INVALID_ARGUMENT, Rejected",
    "403, SENDER_ID_MISMATCH, Rejected",
    "429, QUOTA_EXCEEDED, Refused",
    "500, INTERNAL, Unknown",
    "503, UNAVAILABLE, Refused"
  })
  void send_error_decidesTheOutcome(int code, String errorCode, String outcome) {
    status = code;
    error =
        "{\"error\":{\"code\":%d,\"details\":[{\"@type\":\"x\"},{\"errorCode\":\"%s\"}]}}"
            .formatted(code, errorCode);
    assertThat(send(TestMessages.CONTENT).getClass().getSimpleName()).isEqualTo(outcome);
  }

  @Test
  void send_tokenIsNotAccepted_isRefusedAndANewOneObtained() {
    status = 401;
    assertThat(send(TestMessages.CONTENT)).isEqualTo(DeliveryOutcome.refused("http-401"));
    status = 200;
    assertThat(send(TestMessages.CONTENT)).isEqualTo(DeliveryOutcome.delivered());
    assertThat(issued).hasValue(2);
  }

  @Test
  void send_noTokenIsIssued_isRefused() {
    tokenAnswer = HttpResponse.of(HttpStatus.BAD_REQUEST);
    assertThat(send(TestMessages.CONTENT)).isEqualTo(DeliveryOutcome.refused("no-access-token"));
    assertThat(pushes()).isEmpty();
  }
}
