package dev.torg.notifications.push;

import static org.assertj.core.api.Assertions.assertThat;

import com.eatthepath.pushy.apns.ApnsPushNotification;
import com.eatthepath.pushy.apns.server.MockApnsServer;
import com.eatthepath.pushy.apns.server.MockApnsServerBuilder;
import com.eatthepath.pushy.apns.server.ParsingMockApnsServerListenerAdapter;
import com.eatthepath.pushy.apns.server.PushNotificationHandlerFactory;
import com.eatthepath.pushy.apns.server.RejectedNotificationException;
import com.eatthepath.pushy.apns.server.RejectionReason;
import com.eatthepath.pushy.apns.server.UnregisteredDeviceTokenException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.torg.notifications.SenderSettings;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.TestMessages;
import dev.torg.notifications.http.TestCertificate;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Against the mock server of pushy.
class ApnsProviderTest {
  private static final Instant NOW = Instant.now();
  private static final DeliveryTarget.Apns DEVICE =
      new DeliveryTarget.Apns("d1", "1.0", "0123456789abcdef".repeat(4));

  private static final List<ApnsPushNotification> accepted = new CopyOnWriteArrayList<>();
  private static volatile Optional<RejectionReason> rejection = Optional.empty();
  private static TestCertificate certificate;
  private static MockApnsServer server;
  private static ApnsProvider provider;

  @TempDir static Path directory;

  /// Once for all tests: pushy waits for seconds when a client or a server is closed.
  @BeforeAll
  static void open() throws Exception {
    certificate = TestCertificate.create(directory);
    int port = freePort();
    server =
        new MockApnsServerBuilder()
            .setServerCredentials(
                new java.security.cert.X509Certificate[] {certificate.certificate()},
                certificate.privateKey(),
                null)
            .setHandlerFactory(handlers())
            .setListener(
                new ParsingMockApnsServerListenerAdapter() {
                  @Override
                  public void handlePushNotificationAccepted(ApnsPushNotification push) {
                    accepted.add(push);
                  }

                  @Override
                  public void handlePushNotificationRejected(
                      ApnsPushNotification push, RejectionReason reason, Instant at) {}
                })
            .build();
    server.start(port).get();
    provider = provider(port);
  }

  @BeforeEach
  void reset() {
    accepted.clear();
    rejection = Optional.empty();
  }

  private static ApnsProvider provider(int port) throws Exception {
    KeyPair keys = PushTestKeys.ecKeys();
    return new ApnsProvider(
        new SenderSettings.Apns(
            "localhost",
            port,
            PushTestKeys.pem(directory, keys),
            "KEYID12345",
            "TEAMID1234",
            "example.torg.app"),
        Optional.of(certificate.pem().toFile()),
        InstantSource.fixed(NOW));
  }

  private static int freePort() throws Exception {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static PushNotificationHandlerFactory handlers() {
    return _ ->
        (headers, payload) -> {
          assertThat(headers.get("authorization").toString()).startsWith("bearer ");
          if (rejection.equals(Optional.of(RejectionReason.UNREGISTERED))) {
            throw new UnregisteredDeviceTokenException(NOW);
          }
          if (rejection.isPresent()) {
            throw new RejectedNotificationException(rejection.get());
          }
        };
  }

  @AfterAll
  static void close() throws Exception {
    provider.close();
    server.shutdown().get();
  }

  private static DeliveryOutcome send(MessageContent content) {
    return send(provider, content);
  }

  private static DeliveryOutcome send(ApnsProvider provider, MessageContent content) {
    return provider.send(TestMessages.to(DEVICE, content), DEVICE);
  }

  private static MessageContent withoutCategory() {
    MessageContent content = TestMessages.CONTENT;
    return new MessageContent(
        content.title(),
        content.text(),
        content.image(),
        content.action(),
        content.buttons(),
        Optional.empty());
  }

  private JsonNode payload() throws Exception {
    return new ObjectMapper().readTree(accepted.getFirst().getPayload());
  }

  @Test
  void send_knownCategory_providesButtons() throws Exception {
    assertThat(send(TestMessages.CONTENT)).isEqualTo(DeliveryOutcome.delivered());
    ApnsPushNotification push = accepted.getFirst();
    assertThat(push.getToken()).isEqualTo(DEVICE.token());
    assertThat(push.getTopic()).isEqualTo("example.torg.app");
    assertThat(push.getCollapseId()).isEqualTo("1001");
    JsonNode json = payload();
    assertThat(json.path("aps").path("alert").path("title").asText())
        .isEqualTo("VW Golf for <sale>");
    assertThat(json.path("aps").path("category").asText()).isEqualTo("NEW_OFFER");
    assertThat(json.path("aps").path("mutable-content").asInt()).isEqualTo(1);
    assertThat(json.path("id").asText()).isEqualTo("1001");
    assertThat(json.path("image").asText()).isEqualTo("https://img.example/golf.jpg");
    assertThat(json.path("link").asText()).isEqualTo("/offers/7");
    assertThat(json.path("buttons")).hasSize(2);
  }

  @Test
  void send_messageThatExpires_isNotKeptLonger() {
    provider.send(TestMessages.expiring(DEVICE, NOW.plusSeconds(90)), DEVICE);
    assertThat(accepted.getFirst().getExpiration())
        .isEqualTo(NOW.plusSeconds(90).truncatedTo(ChronoUnit.SECONDS));
  }

  @Test
  void send_withoutCategory_isAPlainPush() throws Exception {
    assertThat(send(withoutCategory())).isEqualTo(DeliveryOutcome.delivered());
    assertThat(payload().path("aps").has("category")).isFalse();
    assertThat(payload().has("buttons")).isFalse();
  }

  @Test
  void send_longText_isShortenedToTheLimit() throws Exception {
    assertThat(send(MessageContent.of("Title", "я".repeat(10_000))))
        .isEqualTo(DeliveryOutcome.delivered());
    assertThat(accepted.getFirst().getPayload().getBytes("UTF-8").length).isBetween(4080, 4096);
  }

  @ParameterizedTest
  @EnumSource(
      value = RejectionReason.class,
      names = {"BAD_DEVICE_TOKEN", "UNREGISTERED"})
  void send_deadToken_isGone(RejectionReason reason) {
    rejection = Optional.of(reason);
    assertThat(send(TestMessages.CONTENT)).isInstanceOf(DeliveryOutcome.TargetGone.class);
  }

  @Test
  void send_tooManyRequests_isRefused() {
    rejection = Optional.of(RejectionReason.TOO_MANY_REQUESTS);
    assertThat(send(TestMessages.CONTENT)).isEqualTo(DeliveryOutcome.refused("too-many-requests"));
  }

  @Test
  void send_serverIsDown_isRefused() throws Exception {
    try (ApnsProvider unreachable = provider(freePort())) {
      assertThat(send(unreachable, TestMessages.CONTENT))
          .isInstanceOf(DeliveryOutcome.Refused.class);
    }
  }

  @Test
  void send_badToken_isRejected() {
    DeliveryTarget.Apns device = new DeliveryTarget.Apns("d1", "1.0", "../x");
    assertThat(provider.send(TestMessages.to(device), device))
        .isEqualTo(DeliveryOutcome.rejected("bad-token"));
  }

  @ParameterizedTest
  @CsvSource({
    "BadDeviceToken, TargetGone, bad-device-token",
    "Unregistered, TargetGone, unregistered",
    "ExpiredToken, TargetGone, expired-token",
    "DeviceTokenNotForTopic, Rejected, device-token-not-for-topic",
    "BadTopic, Rejected, bad-topic",
    "PayloadTooLarge, Rejected, payload-too-large",
    "TooManyRequests, Refused, too-many-requests",
    "ServiceUnavailable, Refused, service-unavailable",
    "InvalidProviderToken, Refused, invalid-provider-token",
    "InternalServerError, Unknown, internal-server-error"
  })
  void ofReason(String apnsReason, String outcome, String reason) {
    DeliveryOutcome mapped = ApnsOutcomes.ofReason(apnsReason);
    assertThat(mapped.getClass().getSimpleName()).isEqualTo(outcome);
    assertThat(mapped.toString()).contains("reason=" + reason);
  }
}
