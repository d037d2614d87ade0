package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.CreateAnonymousRequest;
import dev.torg.api.v1.IdentityServiceGrpc;
import dev.torg.api.v1.WhoAmIRequest;
import dev.torg.platform.Caller.Role;
import dev.torg.server.RunningServer.Reply;
import dev.torg.server.access.RateLimit;
import dev.torg.server.access.RateLimits;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rate limits of callers. The windows are longer than any test runs.
class RateLimitsTest {
  static final RateLimit PLENTY = new RateLimit(10_000, Duration.ofHours(1));

  RunningServer torg;

  RunningServer start(RateLimit perCaller, RateLimit newIdentities, RateLimit badTokens) {
    RateLimits limits = new RateLimits(perCaller, newIdentities, badTokens);
    torg = new RunningServer(ServerConfig.local(0).withLimits(limits), List.of(), List.of());
    return torg;
  }

  @AfterEach
  void stop() {
    torg.close();
  }

  static RateLimit hourly(int calls) {
    return new RateLimit(calls, Duration.ofHours(1));
  }

  Reply whoami(String token) {
    return torg.get("/v1/whoami", "Authorization", "Bearer " + token);
  }

  @Test
  void user_beyondTheLimit_gets429WithHeaders() {
    start(hourly(3), PLENTY, PLENTY);
    String token = torg.user();
    Reply first = whoami(token);
    assertThat(first.status()).isEqualTo(200);
    assertThat(first.header("RateLimit-Limit")).isEqualTo("3");
    assertThat(first.header("RateLimit-Remaining")).isEqualTo("2");
    assertThat(Integer.parseInt(first.header("RateLimit-Reset"))).isBetween(1, 1200);
    whoami(token);
    whoami(token);
    Reply refused = whoami(token);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.json().get("code").asText()).isEqualTo("rate.exceeded");
    assertThat(refused.json().get("detail").asText()).startsWith("more than 3 calls in 3600 s; ");
    assertThat(refused.header("RateLimit-Limit")).isEqualTo("3");
    assertThat(refused.header("RateLimit-Remaining")).isEqualTo("0");
    assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 1200);
    assertThat(whoami(torg.token("user:other", Role.USER)).status()).isEqualTo(200);
  }

  @Test
  void grpcCaller_beyondTheLimit_receivesResourceExhausted() {
    start(hourly(2), PLENTY, PLENTY);
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + torg.user());
    var stub =
        IdentityServiceGrpc.newBlockingStub(torg.channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    stub.whoAmI(WhoAmIRequest.getDefaultInstance());
    stub.whoAmI(WhoAmIRequest.getDefaultInstance());
    StatusRuntimeException refused =
        org.assertj.core.api.Assertions.catchThrowableOfType(
            StatusRuntimeException.class, () -> stub.whoAmI(WhoAmIRequest.getDefaultInstance()));
    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void service_isNotLimited() {
    start(hourly(2), PLENTY, PLENTY);
    String token = torg.service();
    for (int i = 0; i < 10; i++) {
      Reply reply = whoami(token);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.header("RateLimit-Limit")).isEmpty();
    }
  }

  @Test
  void anonymousIdentities_shareTheirAddress() {
    start(hourly(3), PLENTY, PLENTY);
    for (int i = 0; i < 3; i++) {
      assertThat(whoami(torg.token("anon:" + i, Role.ANONYMOUS)).status()).isEqualTo(200);
    }
    assertThat(whoami(torg.token("anon:3", Role.ANONYMOUS)).status()).isEqualTo(429);
    assertThat(whoami(torg.user()).status()).isEqualTo(200);
  }

  @Test
  void callersWithoutToken_shareTheirAddress() {
    start(hourly(2), PLENTY, PLENTY);
    torg.get("/v1/offers/1");
    torg.get("/openapi.json");
    assertThat(torg.get("/v1/offers/1").status()).isEqualTo(429);
  }

  @Test
  void probes_areNeverLimited() {
    start(hourly(1), PLENTY, PLENTY);
    torg.get("/v1/offers/1");
    assertThat(torg.get("/v1/offers/1").status()).isEqualTo(429);
    for (String probe : List.of("/health", "/health/live", "/health/ready", "/metrics")) {
      for (int i = 0; i < 3; i++) {
        assertThat(torg.get(probe).status()).as(probe).isEqualTo(200);
      }
    }
    assertThat(
            HealthGrpc.newBlockingStub(torg.channel)
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatus())
        .isEqualTo(ServingStatus.SERVING);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/offers", "/torg.v1.OfferService/PublishOffer"})
  void callsWithoutTheTokenTheyNeed_countForTheirAddress(String path) {
    start(hourly(2), PLENTY, PLENTY);
    assertThat(torg.post(path, "{").status()).isEqualTo(401);
    assertThat(torg.post(path, "{").status()).isEqualTo(401);
    Reply refused = torg.post(path, "{");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("RateLimit-Limit")).isEqualTo("2");
    assertThat(refused.header("Retry-After")).isNotEmpty();
  }

  @Test
  void callsOfTheWrongRole_countForTheirSubject() {
    start(hourly(2), PLENTY, PLENTY);
    assertThat(repair("user:1").status()).isEqualTo(403);
    assertThat(repair("user:1").status()).isEqualTo(403);
    assertThat(repair("user:1").status()).isEqualTo(429);
    assertThat(repair("user:2").status()).isEqualTo(403);
  }

  Reply repair(String subject) {
    return torg.post(
        "/v1/sellers/me/presets:repair",
        "{}",
        "Authorization",
        "Bearer " + torg.token(subject, Role.USER));
  }

  @Test
  void malformedRequests_countForTheirSubject() {
    start(hourly(2), PLENTY, PLENTY);
    String user = "Bearer " + torg.user();
    assertThat(torg.post("/v1/offers", "{", "Authorization", user).status()).isEqualTo(400);
    assertThat(torg.post("/v1/offers", "{", "Authorization", user).status()).isEqualTo(400);
    assertThat(torg.post("/v1/offers", "{", "Authorization", user).status()).isEqualTo(429);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /v1/nothing, 404",
    "DELETE, /v1/whoami, 405",
    "POST, /v1/offers/1:nope, 405",
    "GET, /torg.v1.OfferService/GetOffer, 405",
  })
  void unroutedCalls_countForTheirAddress(String method, String path, int status) {
    start(hourly(2), PLENTY, PLENTY);
    assertThat(torg.send(method, path, null).status()).isEqualTo(status);
    assertThat(torg.send(method, path, null).header("RateLimit-Remaining")).isEqualTo("0");
    assertThat(torg.send(method, path, null).status()).isEqualTo(429);
  }

  @Test
  void newIdentities_fromOneAddress_areLimitedOverHttpAndGrpcTogether() {
    start(PLENTY, hourly(3), PLENTY);
    assertThat(torg.post("/v1/anonymous", null).header("RateLimit-Limit")).isEqualTo("3");
    torg.post("/v1/anonymous", null);
    IdentityServiceGrpc.newBlockingStub(torg.channel)
        .createAnonymous(CreateAnonymousRequest.getDefaultInstance());
    assertThat(torg.post("/v1/anonymous", null).status()).isEqualTo(429);
    assertThat(torg.get("/v1/offers/1").status()).isEqualTo(200);
  }

  @Test
  void manyBadTokens_fromOneAddress_areNoLongerVerified() {
    start(PLENTY, PLENTY, hourly(3));
    String cachedToken = torg.user();
    assertThat(whoami(cachedToken).status()).isEqualTo(200);
    for (int i = 0; i < 3; i++) {
      assertThat(whoami("bad.bad.bad").status()).isEqualTo(401);
    }
    Reply refused = whoami("bad.bad.bad");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("RateLimit-Limit")).isEqualTo("3");
    assertThat(refused.header("RateLimit-Remaining")).isEqualTo("0");
    assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 1200);
    assertThat(whoami(cachedToken).status()).isEqualTo(200);
  }

  @Test
  void authorizationWithoutToken_countsAsAnInvalidToken() {
    start(PLENTY, PLENTY, hourly(2));
    assertThat(torg.get("/v1/offers/1", "Authorization", "Basic abc").status()).isEqualTo(401);
    assertThat(torg.get("/v1/offers/1", "Authorization", "Basic abc").status()).isEqualTo(401);
    assertThat(torg.get("/v1/offers/1", "Authorization", "Basic abc").status()).isEqualTo(429);
  }

  @Test
  void batch_costsACallForEachTenItems() {
    start(hourly(100), PLENTY, PLENTY);
    Reply first = batchAct(500);
    assertThat(first.status()).isEqualTo(200);
    assertThat(first.header("RateLimit-Remaining")).isEqualTo("49");
    assertThat(batchAct(9).header("RateLimit-Remaining")).isEqualTo("48");
    Reply refused = batchAct(500);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.json().get("code").asText()).isEqualTo("rate.exceeded");
    assertThat(refused.header("Retry-After")).isNotEmpty();
    assertThat(batchAct(100).status()).isEqualTo(200);
  }

  @Test
  void batch_thatCostsMoreThanTheWholeBucket_passesWithAFullOne() {
    start(hourly(20), PLENTY, PLENTY);
    Reply first = batchAct(500);
    assertThat(first.status()).isEqualTo(200);
    assertThat(first.header("RateLimit-Remaining")).isEqualTo("0");
    assertThat(whoami(torg.user()).status()).isEqualTo(429);
  }

  @Test
  void batchesWithoutToken_areChargedToTheirAddress() {
    start(hourly(100), PLENTY, PLENTY);
    Reply first = torg.post("/v1/offers:batchGet", ids(500));
    assertThat(first.status()).isEqualTo(200);
    assertThat(torg.post("/v1/offers:batchGet", ids(500)).status()).isEqualTo(429);
  }

  Reply batchAct(int items) {
    String body = ids(items).replaceFirst("\\{", "{\"action\":\"WITHDRAW\",");
    return torg.post("/v1/offers:batchAct", body, "Authorization", "Bearer " + torg.user());
  }

  static String ids(int count) {
    return java.util.stream.IntStream.range(0, count)
        .mapToObj(i -> "\"" + i + "\"")
        .collect(java.util.stream.Collectors.joining(",", "{\"ids\":[", "]}"));
  }

  @Test
  void defaults_areAsDocumented() {
    start(PLENTY, PLENTY, PLENTY);
    assertThat(RateLimits.defaults().perCaller())
        .isEqualTo(new RateLimit(500, Duration.ofSeconds(1)));
    assertThat(RateLimits.defaults().newIdentities())
        .isEqualTo(new RateLimit(60, Duration.ofMinutes(1)));
  }

  @Test
  void forwardedAddress_countsOnlyFromTrustedProxies() {
    start(hourly(1), PLENTY, PLENTY);
    assertThat(torg.get("/v1/offers/1", "X-Forwarded-For", "203.0.113.1").status()).isEqualTo(200);
    assertThat(torg.get("/v1/offers/1", "X-Forwarded-For", "203.0.113.2").status()).isEqualTo(429);
    torg.close();
    torg =
        new RunningServer(
            ServerConfig.local(0)
                .withLimits(new RateLimits(hourly(1), PLENTY, PLENTY))
                .withTrustedProxies(List.of("127.0.0.0/8")),
            List.of(),
            List.of());
    assertThat(torg.get("/v1/offers/1", "X-Forwarded-For", "203.0.113.1").status()).isEqualTo(200);
    assertThat(torg.get("/v1/offers/1", "X-Forwarded-For", "203.0.113.2").status()).isEqualTo(200);
    assertThat(torg.get("/v1/offers/1", "X-Forwarded-For", "203.0.113.2").status()).isEqualTo(429);
  }
}
