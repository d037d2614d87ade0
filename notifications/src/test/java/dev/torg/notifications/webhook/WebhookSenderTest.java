package dev.torg.notifications.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.TestMessages;
import dev.torg.notifications.http.DeliveryHttpClient;
import dev.torg.notifications.http.TestEndpoint;
import dev.torg.notifications.http.TestTimeouts;
import dev.torg.platform.net.HostResolver;
import dev.torg.platform.net.PublicHostResolver;
import dev.torg.platform.webhook.WebhookSignature;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookSenderTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final TestEndpoint endpoint = new TestEndpoint();
  private final DeliveryHttpClient http =
      DeliveryHttpClient.forRecipients(
          new PublicHostResolver(HostResolver.SYSTEM, Set.of("127.0.0.1")),
          TestTimeouts.LONG,
          InstantSource.fixed(NOW));
  private final WebhookSender sender = new WebhookSender(http, InstantSource.fixed(NOW));

  @AfterEach
  void close() {
    http.close();
    endpoint.close();
  }

  private DeliveryOutcome send(String url, String secret) {
    return sender.send(TestMessages.to(new DeliveryTarget.Webhook(url, secret)));
  }

  @Test
  void send_receiverVerifiesTheSignature() throws Exception {
    assertThat(send(endpoint.url() + "/hook", SECRET)).isEqualTo(DeliveryOutcome.delivered());
    AggregatedHttpRequest call = endpoint.requests().getFirst();
    String id = call.headers().get("webhook-id");
    assertThat(call.headers().get("webhook-timestamp")).isEqualTo("" + NOW.getEpochSecond());
    assertThat(call.headers().get("webhook-signature"))
        .isEqualTo(new WebhookSignature(SECRET).sign(id, NOW, call.contentUtf8()));
    JsonNode body = new ObjectMapper().readTree(call.contentUtf8());
    assertThat(body.path("id").asText()).isEqualTo("1001");
    assertThat(body.path("topic").asText()).isEqualTo("searches");
    assertThat(body.path("title").asText()).isEqualTo("VW Golf for <sale>");
    assertThat(body.path("media").path(0).asText()).isEqualTo("https://img.example/golf.jpg");
    assertThat(body.path("open").path("payload").path("id").asText()).isEqualTo("7");
    assertThat(body.at("/attachments/1").toString())
        .isEqualTo(
            "{\"kind\":\"VIDEO\",\"url\":\"https://img.example/golf.mp4\",\"preview\":\"https://img.example/frame.jpg\"}");
    assertThat(body.path("attachments")).hasSize(3);
    assertThat(body.path("buttons").path(1).path("text").asText()).isEqualTo("Save");
    assertThat(body.path("buttons").path(1).path("title").asText()).isEqualTo("Save");
    assertThat(body.path("buttons").path(1).path("open").path("web").asText()).isEqualTo("/save/7");
  }

  @Test
  void send_again_hasTheSameId() {
    send(endpoint.url(), SECRET);
    send(endpoint.url(), SECRET);
    assertThat(endpoint.requests().get(0).headers().get("webhook-id"))
        .isEqualTo(endpoint.requests().get(1).headers().get("webhook-id"));
  }

  @ParameterizedTest
  @CsvSource({"410, TargetGone", "404, Rejected", "307, Rejected", "429, Refused", "500, Unknown"})
  void send_status_decidesTheOutcome(int status, String outcome) {
    endpoint.answers(HttpStatus.valueOf(status));
    assertThat(send(endpoint.url(), SECRET).getClass().getSimpleName()).isEqualTo(outcome);
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost/, private-address",
    "http://10.1.2.3/, private-address",
    "file:///etc/passwd, bad-address",
    "http://user:password@127.0.0.1/, bad-address",
    "'http://127.0.0.1/\r\nx', bad-address",
    "http://127.1/, bad-address",
    "nonsense, bad-address"
  })
  void send_badAddress_isRejected(String url, String reason) {
    assertThat(send(url, SECRET)).isEqualTo(DeliveryOutcome.rejected(reason));
    assertThat(endpoint.requests()).isEmpty();
  }

  @Test
  void send_badSecret_isRejected() {
    assertThat(send(endpoint.url(), "secret")).isEqualTo(DeliveryOutcome.rejected("bad-secret"));
  }
}
