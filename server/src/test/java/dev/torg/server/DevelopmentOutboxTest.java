package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.notifications.CapturedMessage;
import dev.torg.notifications.Channel;
import dev.torg.server.outbox.DevelopmentOutboxRoute;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DevelopmentOutboxTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final List<CapturedMessage> MESSAGES =
      List.of(
          new CapturedMessage(Channel.SMS, "+4915112345678", "", "Code <1>\nmore", "", NOW),
          new CapturedMessage(
              Channel.EMAIL,
              "bob@example.com",
              "A \"subject\"",
              "text </pre><script>alert(1)</script>",
              "<p onclick=\"x\">html</p></iframe><script>alert(2)</script>",
              NOW.minusSeconds(5)));

  private static RunningServer server(DevelopmentLogin login) {
    return new RunningServer(
        ServerConfig.local(0),
        List.of(new DevelopmentOutboxRoute(() -> MESSAGES, login).route()),
        List.of(),
        login);
  }

  @Test
  void get_json_hasTheMessagesInOrder() throws Exception {
    try (RunningServer torg = server(DevelopmentLogin.LOCAL)) {
      var reply = torg.get("/dev/outbox", "Accept", "application/json");
      assertThat(reply.status()).isEqualTo(200);
      JsonNode json = RunningServer.JSON.readTree(reply.body());
      assertThat(json).hasSize(2);
      assertThat(json.path(0).path("channel").asText()).isEqualTo("SMS");
      assertThat(json.path(0).path("to").asText()).isEqualTo("+4915112345678");
      assertThat(json.path(1).path("subject").asText()).isEqualTo("A \"subject\"");
      assertThat(json.path(1).path("html").asText()).startsWith("<p onclick");
      assertThat(json.path(1).path("at").asText()).isEqualTo("2026-05-04T09:59:55Z");
    }
  }

  @ParameterizedTest
  @CsvSource({"'text/html,application/xhtml+xml,*/*;q=0.8'", "*/*"})
  void get_page_escapesMessages(String accept) {
    try (RunningServer torg = server(DevelopmentLogin.LOCAL)) {
      var reply = torg.get("/dev/outbox", "Accept", accept);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body())
          .contains("<!DOCTYPE html>", "Code &lt;1&gt;", "<iframe sandbox")
          .doesNotContain("<script", "<p onclick");
    }
  }

  @Test
  void get_developmentLoginIsOff_isForbidden() {
    try (RunningServer torg = server(DevelopmentLogin.OFF)) {
      var reply = torg.get("/dev/outbox");
      assertThat(reply.status()).isEqualTo(403);
      assertThat(reply.body()).contains("outbox.disabled").doesNotContain("bob@example.com");
    }
  }

  @ParameterizedTest
  @CsvSource({"LOCAL", "INSECURE"})
  void get_throughAProxy_isForbidden(DevelopmentLogin login) {
    try (RunningServer torg = server(login)) {
      var reply = torg.get("/dev/outbox", "X-Forwarded-For", "192.0.2.1");
      assertThat(reply.status()).isEqualTo(403);
      assertThat(reply.body()).contains("outbox.not-local").doesNotContain("bob@example.com");
    }
  }
}
