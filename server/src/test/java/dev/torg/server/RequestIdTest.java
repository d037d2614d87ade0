package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Caller.Role;
import dev.torg.server.RunningServer.Reply;
import dev.torg.server.access.RateLimit;
import dev.torg.server.access.RateLimits;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Every refusal can be found by its request id, whichever component refuses.
class RequestIdTest {
  static final RateLimit TWELVE = new RateLimit(12, Duration.ofHours(1));

  @Test
  void everyRefusal_reportsTheIdInHeaderAndBody() {
    RateLimits limits = new RateLimits(TWELVE, TWELVE, TWELVE);
    try (RunningServer torg =
        new RunningServer(ServerConfig.local(0).withLimits(limits), List.of(), List.of())) {
      String user = "Bearer " + torg.user();
      assertReported(torg.get("/v1/whoami", "X-Request-Id", "a-401"), 401, "a-401");
      assertReported(
          torg.post(
              "/v1/sellers/me/presets:repair", "{}", "Authorization", user, "X-Request-Id", "a"),
          403,
          "a");
      assertReported(torg.get("/v1/nothing", "X-Request-Id", "a-404"), 404, "a-404");
      assertReported(
          torg.send("DELETE", "/v1/whoami", null, "X-Request-Id", "a-405"), 405, "a-405");
      assertReported(
          torg.sendBytes(
              "POST",
              "/v1/offers",
              new byte[9 << 20],
              "Authorization",
              user,
              "X-Request-Id",
              "big"),
          400,
          "big");
      assertReported(torg.get("/v1/offers/1?x=" + "y".repeat(10_000)), 400, null);
      assertReported(torg.get("/v1/offers/1", "Padding", "y".repeat(20_000)), 400, null);
    }
  }

  @Test
  void rateLimitRefusal_reportsTheIdAndWhenToRetry() {
    RateLimit onePerHour = new RateLimit(1, Duration.ofHours(1));
    try (RunningServer torg =
        new RunningServer(
            ServerConfig.local(0).withLimits(new RateLimits(onePerHour, onePerHour, onePerHour)),
            List.of(),
            List.of())) {
      String user = "Bearer " + torg.token("user:7", Role.USER);
      torg.get("/v1/whoami", "Authorization", user);
      Reply refused = torg.get("/v1/whoami", "Authorization", user, "X-Request-Id", "a-429");
      assertReported(refused, 429, "a-429");
      assertThat(refused.header("RateLimit-Limit")).isEqualTo("1");
      assertThat(refused.header("RateLimit-Remaining")).isEqualTo("0");
      assertThat(refused.header("RateLimit-Reset")).isEqualTo(refused.header("Retry-After"));
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 3600);
    }
  }

  static void assertReported(Reply reply, int status, String id) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    assertThat(reply.header("content-type")).startsWith("application/problem+json");
    String notified = reply.json().get("requestId").asText();
    assertThat(notified).isNotEmpty().isEqualTo(reply.header("x-request-id"));
    if (id != null) {
      assertThat(notified).isEqualTo(id);
    }
  }
}
