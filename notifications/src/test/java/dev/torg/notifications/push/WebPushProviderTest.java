package dev.torg.notifications.push;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jwt.SignedJWT;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.TestMessages;
import dev.torg.notifications.http.DeliveryHttpClient;
import dev.torg.notifications.http.TestEndpoint;
import dev.torg.notifications.http.TestTimeouts;
import dev.torg.platform.net.HostResolver;
import dev.torg.platform.net.PublicHostResolver;
import java.security.KeyPair;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Against a local push service and browser.
class WebPushProviderTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final byte[] AUTH = "0123456789abcdef".getBytes();

  private final TestEndpoint pushService = new TestEndpoint();
  private KeyPair vapid;
  private KeyPair browser;
  private DeliveryHttpClient http;
  private WebPushProvider provider;

  @BeforeEach
  void open() throws Exception {
    vapid = PushTestKeys.ecKeys();
    browser = PushTestKeys.ecKeys();
    http =
        DeliveryHttpClient.forRecipients(
            new PublicHostResolver(HostResolver.SYSTEM, Set.of("127.0.0.1")),
            TestTimeouts.LONG,
            InstantSource.fixed(NOW));
    provider =
        new WebPushProvider(
            new VapidTokens(PushTestKeys.vapid(vapid), InstantSource.fixed(NOW)),
            http,
            InstantSource.fixed(NOW));
    pushService.answers(HttpStatus.CREATED);
  }

  @AfterEach
  void close() {
    http.close();
    pushService.close();
  }

  private DeliveryTarget.WebPush device(String endpoint) {
    return new DeliveryTarget.WebPush(
        "d1",
        "1.0",
        endpoint,
        PushTestKeys.base64(PushTestKeys.rawPublic(browser)),
        PushTestKeys.base64(AUTH));
  }

  private DeliveryOutcome send(String endpoint, MessageContent content) {
    DeliveryTarget.WebPush device = device(endpoint);
    return provider.send(TestMessages.to(device, content), device);
  }

  private JsonNode decrypted(AggregatedHttpRequest push) throws Exception {
    return new ObjectMapper()
        .readTree(
            WebPushDecryption.decrypt(
                push.content().array(),
                PushTestKeys.rawPrivate(browser),
                PushTestKeys.rawPublic(browser),
                AUTH));
  }

  @Test
  void send_browserDecryptsTheNotification() throws Exception {
    assertThat(send(pushService.url() + "/push/abc", TestMessages.CONTENT))
        .isEqualTo(DeliveryOutcome.delivered());
    AggregatedHttpRequest push = pushService.requests().getFirst();
    assertThat(push.path()).isEqualTo("/push/abc");
    assertThat(push.headers().get(HttpHeaderNames.CONTENT_ENCODING)).isEqualTo("aes128gcm");
    assertThat(push.headers().get("ttl")).isEqualTo("86400");
    assertThat(push.headers().get("urgency")).isEqualTo("normal");
    JsonNode json = decrypted(push);
    assertThat(json.path("id").asText()).isEqualTo("1001");
    assertThat(json.path("topic").asText()).isEqualTo("searches");
    assertThat(json.path("title").asText()).isEqualTo("VW Golf for <sale>");
    assertThat(json.path("image").asText()).isEqualTo("https://img.example/golf.jpg");
    assertThat(json.path("link").asText()).isEqualTo("/offers/7");
    assertThat(json.path("buttons")).hasSize(2);
  }

  /// A browser that is connected later must not show it.
  @Test
  void send_messageThatExpires_isNotKeptLonger() {
    DeliveryTarget.WebPush device = device(pushService.url());
    provider.send(TestMessages.expiring(device, NOW.plusSeconds(90)), device);
    assertThat(pushService.requests().getFirst().headers().get("ttl")).isEqualTo("90");
  }

  @Test
  void send_pushServiceVerifiesTheVapidToken() throws Exception {
    send(pushService.url(), TestMessages.CONTENT);
    send(pushService.url(), TestMessages.CONTENT);
    String header = pushService.requests().getFirst().headers().get(HttpHeaderNames.AUTHORIZATION);
    assertThat(header).endsWith(", k=" + PushTestKeys.base64(PushTestKeys.rawPublic(vapid)));
    SignedJWT token = SignedJWT.parse(header.replaceFirst("vapid t=", "").replaceFirst(",.*", ""));
    assertThat(token.verify(new ECDSAVerifier((ECPublicKey) vapid.getPublic()))).isTrue();
    assertThat(token.getJWTClaimsSet().getAudience()).containsExactly(pushService.url());
    assertThat(token.getJWTClaimsSet().getSubject()).isEqualTo("mailto:ops@torg.example");
    assertThat(token.getJWTClaimsSet().getExpirationTime())
        .isBefore(Date.from(NOW.plus(Duration.ofHours(24))));
    assertThat(pushService.requests().get(1).headers().get(HttpHeaderNames.AUTHORIZATION))
        .isEqualTo(header);
  }

  @Test
  void send_longText_isShortenedToTheLimit() throws Exception {
    MessageContent content = MessageContent.of("Title", "я".repeat(10_000));
    assertThat(send(pushService.url(), content)).isEqualTo(DeliveryOutcome.delivered());
    AggregatedHttpRequest push = pushService.requests().getFirst();
    assertThat(push.content().length()).isBetween(4090, 4096);
    assertThat(decrypted(push).path("text").asText()).endsWith("я…");
  }

  @ParameterizedTest
  @CsvSource({
    "201, Delivered",
    "404, TargetGone",
    "410, TargetGone",
    "413, Rejected",
    "500, Unknown"
  })
  void send_status_decidesTheOutcome(int status, String outcome) {
    pushService.answers(HttpStatus.valueOf(status));
    assertThat(send(pushService.url(), TestMessages.CONTENT).getClass().getSimpleName())
        .isEqualTo(outcome);
  }

  @Test
  void send_tooManyRequests_isRefusedWithTheDelay() {
    pushService.answers(
        _ ->
            HttpResponse.of(
                ResponseHeaders.of(HttpStatus.TOO_MANY_REQUESTS, HttpHeaderNames.RETRY_AFTER, "30"),
                HttpData.empty()));
    assertThat(send(pushService.url(), TestMessages.CONTENT))
        .isEqualTo(new DeliveryOutcome.Refused("http-429", Optional.of(Duration.ofSeconds(30))));
  }

  @Test
  void send_endpointInThePrivateNetwork_isRejected() {
    assertThat(send("http://10.0.0.1/push", TestMessages.CONTENT))
        .isEqualTo(DeliveryOutcome.rejected("private-address"));
  }

  @Test
  void send_badKeys_isRejected() {
    DeliveryTarget.WebPush device =
        new DeliveryTarget.WebPush("d1", "1.0", pushService.url(), "abc", "!");
    assertThat(provider.send(TestMessages.to(device), device))
        .isEqualTo(DeliveryOutcome.rejected("bad-keys"));
  }
}
