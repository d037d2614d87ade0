package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import dev.torg.api.v1.CallerKind;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Failure;
import dev.torg.server.RunningServer.Reply;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Starting, being ready, logging, stopping.
class LifecycleTest {
  static void await(BooleanSupplier condition) {
    Instant deadline = Instant.now().plusSeconds(15);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).isBefore(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }

  @Test
  void ready_followsItsChecks_liveDoesNot() {
    AtomicBoolean database = new AtomicBoolean(true);
    try (RunningServer torg =
        new RunningServer(
            ServerConfig.local(0),
            List.of(),
            List.of(
                new ReadinessCheck("database", database::get),
                new ReadinessCheck("kafka", () -> true)))) {
      assertThat(torg.get("/health").body()).isEqualTo("{\"status\":\"UP\"}");
      assertThat(torg.get("/health/ready").status()).isEqualTo(200);
      database.set(false);
      await(() -> torg.get("/health/ready").status() == 503);
      Reply down = torg.get("/health");
      assertThat(down.json().get("detail").asText()).isEqualTo("not ready: database");
      assertThat(torg.get("/health/live").status()).isEqualTo(200);
      assertThat(
              HealthGrpc.newBlockingStub(torg.channel)
                  .check(HealthCheckRequest.getDefaultInstance())
                  .getStatus())
          .isEqualTo(ServingStatus.NOT_SERVING);
      database.set(true);
      await(() -> torg.get("/health/ready").status() == 200);
    }
  }

  @Test
  void ready_checkThatThrows_isNotReady() {
    try (RunningServer torg =
        new RunningServer(
            ServerConfig.local(0),
            List.of(),
            List.of(
                new ReadinessCheck(
                    "broken",
                    () -> {
                      throw new IllegalStateException("secret");
                    })))) {
      assertThat(torg.get("/health").status()).isEqualTo(503);
      assertThat(torg.get("/health").body()).contains("broken").doesNotContain("secret");
    }
  }

  @Test
  void close_requestInProgress_isFinishedFirst() throws Exception {
    RunningServer torg = new RunningServer();
    CompletableFuture<Offer> slow = new CompletableFuture<>();
    CountDownLatch arrived = new CountDownLatch(1);
    torg.offers.next =
        _ -> {
          arrived.countDown();
          return slow;
        };
    CompletableFuture<Reply> pending =
        CompletableFuture.supplyAsync(() -> torg.get("/v1/offers/1"));
    assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
    Thread closing = Thread.ofVirtual().start(torg.server::close);
    await(() -> refusesNewcomers(torg));
    assertThat(pending).isNotDone();
    slow.complete(Offer.newBuilder().setId("late").build());
    assertThat(pending.get(10, TimeUnit.SECONDS).json().get("id").asText()).isEqualTo("late");
    assertThat(closing.join(Duration.ofSeconds(15))).isTrue();
    assertThatThrownBy(() -> torg.get("/health")).isInstanceOf(Exception.class);
    torg.channel.shutdownNow();
  }

  static boolean refusesNewcomers(RunningServer torg) {
    try {
      return torg.get("/health").status() == 503;
    } catch (java.io.UncheckedIOException e) {
      return true;
    }
  }

  @Test
  void requestTimeout_isUnavailable() {
    try (RunningServer torg =
        new RunningServer(
            ServerConfig.local(0).withTimeout(Duration.ofMillis(200)), List.of(), List.of())) {
      torg.offers.next = _ -> new CompletableFuture<>();
      Reply reply = torg.get("/v1/offers/1");
      assertThat(reply.status()).as(reply.body()).isEqualTo(503);
      assertThat(reply.json().get("code").asText()).isEqualTo("request.timeout");
    }
  }

  @Test
  void plainRoute_expectedAndUnexpectedFailure_becomeProblems() {
    HttpRoute failing =
        new HttpRoute(
            HttpMethod.GET,
            "/plain/failing",
            List.of(CallerKind.ANYONE),
            RouteDoc.of("test", "Tests", "test"),
            (_, _) -> {
              throw Failure.conflict("plain.conflict", "no");
            });
    HttpRoute surprised =
        new HttpRoute(
            HttpMethod.GET,
            "/plain/surprised",
            List.of(CallerKind.ANYONE),
            RouteDoc.of("test", "Tests", "test"),
            (_, _) ->
                HttpResponse.of(
                    CompletableFuture.failedFuture(new IllegalStateException("secret"))));
    try (RunningServer torg =
        new RunningServer(ServerConfig.local(0), List.of(failing, surprised), List.of())) {
      assertThat(torg.get("/plain/failing").status()).isEqualTo(409);
      assertThat(torg.get("/plain/failing").json().get("code").asText())
          .isEqualTo("plain.conflict");
      assertThat(torg.get("/plain/failing").header("x-request-id")).isNotEmpty();
      Reply surprise = torg.get("/plain/surprised");
      assertThat(surprise.status()).isEqualTo(500);
      assertThat(surprise.body()).doesNotContain("secret");
    }
  }

  @Test
  void plainRoute_stream_acceptsMoreThanEightMegabytes() {
    HttpRoute upload =
        new HttpRoute(
                HttpMethod.POST,
                "/plain/upload",
                List.of(CallerKind.ANYONE),
                RouteDoc.of("test", "Tests", "test"),
                (_, request) ->
                    HttpResponse.of(
                        request
                            .aggregate()
                            .thenApply(
                                whole ->
                                    HttpResponse.of(String.valueOf(whole.content().length())))))
            .asStream();
    try (RunningServer torg =
        new RunningServer(ServerConfig.local(0), List.of(upload), List.of())) {
      assertThat(torg.sendBytes("POST", "/plain/upload", new byte[20 << 20]).body())
          .isEqualTo(String.valueOf(20 << 20));
    }
  }

  @Test
  void requestId_insaneOne_isReplaced() {
    try (RunningServer torg = new RunningServer()) {
      assertThat(torg.get("/health", "X-Request-Id", "a b\tc").header("x-request-id"))
          .matches("[0-9a-f]{16}");
      assertThat(torg.get("/health", "X-Request-Id", "x".repeat(65)).header("x-request-id"))
          .matches("[0-9a-f]{16}");
      assertThat(torg.get("/health", "X-Request-Id", "ok-1.2_3:4").header("x-request-id"))
          .isEqualTo("ok-1.2_3:4");
    }
  }

  @Test
  void accessLog_atDebug_hasOneLinePerRequest_atInfoNone() {
    Logger access = (Logger) LoggerFactory.getLogger("torg.access");
    try (RunningServer torg = new RunningServer();
        CapturedLog log = new CapturedLog()) {
      torg.get("/v1/offers/1");
      assertThat(log.lines()).isEmpty();
      access.setLevel(Level.DEBUG);
      torg.get("/v1/offers/1", "X-Request-Id", "seen");
      await(() -> log.lines().size() == 1);
      assertThat(log.lines().getFirst())
          .contains("seen")
          .contains("/v1/offers/1")
          .contains("status=\"200\"");
    } finally {
      access.setLevel(Level.INFO);
    }
  }
}
