package dev.torg.server;

import static dev.torg.server.LifecycleTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.torg.api.v1.CallerKind;
import dev.torg.api.v1.GetOfferRequest;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.server.RunningServer.Reply;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Orderly shutdown, with clients that do not cooperate.
class StopTest {
  /// How long a stop may take beyond the calls in progress.
  static final Duration TIMEOUT = Duration.ofSeconds(2);

  RunningServer torg = new RunningServer();
  final CompletableFuture<Offer> slow = new CompletableFuture<>();
  final AtomicInteger arrived = new AtomicInteger();

  @AfterEach
  void close() {
    torg.channel.shutdownNow();
    torg.server.close();
  }

  /// The offer with the id `slow` is returned late, others immediately.
  void slowOffer() {
    torg.offers.next =
        id -> {
          if (!id.equals("slow")) {
            return CompletableFuture.completedFuture(Offer.newBuilder().setId(id).build());
          }
          arrived.incrementAndGet();
          return slow;
        };
  }

  void restart(ServerConfig config, HttpRoute... routes) {
    close();
    torg = new RunningServer(config, List.of(routes), List.of());
  }

  Thread stopInBackground() {
    return Thread.ofVirtual().start(torg.server::close);
  }

  boolean isStopping() {
    try {
      return torg.get("/health").status() == 503;
    } catch (UncheckedIOException e) {
      return true;
    }
  }

  /// Calls without a pause, over HTTP and gRPC, until the port is closed.
  List<Thread> chatter(AtomicInteger responses) {
    return List.of(
        Thread.ofVirtual().start(() -> callOverHttp(responses)),
        Thread.ofVirtual().start(() -> callOverHttp(responses)),
        Thread.ofVirtual().start(() -> callOverGrpc(responses)));
  }

  void callOverHttp(AtomicInteger responses) {
    for (int failures = 0; failures < 50; ) {
      try {
        torg.get("/v1/offers/1");
        responses.incrementAndGet();
        failures = 0;
      } catch (UncheckedIOException e) {
        failures++;
      }
    }
  }

  void callOverGrpc(AtomicInteger responses) {
    var stub = OfferServiceGrpc.newBlockingStub(torg.channel);
    for (int failures = 0; failures < 200; ) {
      try {
        stub.getOffer(GetOfferRequest.newBuilder().setId("1").build());
        responses.incrementAndGet();
      } catch (StatusRuntimeException e) {
        failures++;
      }
    }
  }

  @Test
  void close_clientsThatKeepCalling_endsPromptly() throws Exception {
    AtomicInteger responses = new AtomicInteger();
    List<Thread> clients = chatter(responses);
    await(() -> responses.get() > 50);
    int port = torg.server.port();
    Thread closing = stopInBackground();
    assertThat(closing.join(TIMEOUT)).isTrue();
    assertThatThrownBy(() -> new Socket("127.0.0.1", port).close())
        .isInstanceOf(ConnectException.class);
    torg.channel.shutdownNow();
    for (Thread client : clients) {
      assertThat(client.join(Duration.ofSeconds(20))).isTrue();
    }
  }

  @Test
  void close_callInProgressAmongClientsThatKeepCalling_isFinishedThenEndsPromptly()
      throws Exception {
    slowOffer();
    CompletableFuture<Reply> http =
        CompletableFuture.supplyAsync(() -> torg.get("/v1/offers/slow"));
    await(() -> arrived.get() == 1);
    CompletableFuture<Offer> grpc = grpcOffer("slow");
    await(() -> arrived.get() == 2);
    AtomicInteger responses = new AtomicInteger();
    List<Thread> clients = chatter(responses);
    await(() -> responses.get() > 50);
    int port = torg.server.port();
    Thread closing = stopInBackground();
    await(this::isStopping);
    assertThat(http).isNotDone();
    assertThat(grpc).isNotDone();
    slow.complete(Offer.newBuilder().setId("late").build());
    assertThat(http.get(10, TimeUnit.SECONDS).json().get("id").asText()).isEqualTo("late");
    assertThat(grpc.get(10, TimeUnit.SECONDS).getId()).isEqualTo("late");
    assertThat(closing.join(TIMEOUT)).isTrue();
    assertThatThrownBy(() -> new Socket("127.0.0.1", port).close())
        .isInstanceOf(ConnectException.class);
    torg.channel.shutdownNow();
    for (Thread client : clients) {
      assertThat(client.join(Duration.ofSeconds(20))).isTrue();
    }
  }

  CompletableFuture<Offer> grpcOffer(String id) {
    CompletableFuture<Offer> response = new CompletableFuture<>();
    OfferServiceGrpc.newStub(torg.channel)
        .getOffer(GetOfferRequest.newBuilder().setId(id).build(), into(response));
    return response;
  }

  static <T> StreamObserver<T> into(CompletableFuture<T> first) {
    return into(first, new CompletableFuture<>());
  }

  static <T> StreamObserver<T> into(CompletableFuture<T> first, CompletableFuture<Void> end) {
    return new StreamObserver<>() {
      @Override
      public void onNext(T value) {
        first.complete(value);
      }

      @Override
      public void onError(Throwable t) {
        first.completeExceptionally(t);
        end.complete(null);
      }

      @Override
      public void onCompleted() {
        end.complete(null);
      }
    };
  }

  @Test
  void stopping_newcomersGet503AndLoseTheirConnection_probesGetAResponse() throws Exception {
    slowOffer();
    CompletableFuture<Reply> pending =
        CompletableFuture.supplyAsync(() -> torg.get("/v1/offers/slow"));
    await(() -> arrived.get() == 1);
    Thread closing = stopInBackground();
    await(this::isStopping);

    Reply refused = torg.get("/v1/offers/1");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.json().get("code").asText()).isEqualTo("server.stopping");
    assertThat(refused.header("connection")).isEqualTo("close");
    assertThatThrownBy(
            () ->
                OfferServiceGrpc.newBlockingStub(torg.channel)
                    .getOffer(GetOfferRequest.newBuilder().setId("1").build()))
        .satisfies(
            e -> assertThat(Status.fromThrowable(e).getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    assertThat(torg.get("/health/live").status()).isEqualTo(200);
    assertThat(torg.get("/metrics").status()).isEqualTo(200);
    assertThat(torg.get("/health/ready").json().get("detail").asText()).contains("stopping");
    assertThat(
            HealthGrpc.newBlockingStub(torg.channel)
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatus())
        .isEqualTo(ServingStatus.NOT_SERVING);

    slow.complete(Offer.getDefaultInstance());
    assertThat(pending.get(10, TimeUnit.SECONDS).status()).isEqualTo(200);
    assertThat(closing.join(TIMEOUT)).isTrue();
  }

  @Test
  void close_callThatNeverEnds_isCancelledAfterTheDrain() throws Exception {
    restart(ServerConfig.local(0).withDrain(Duration.ofMillis(300)));
    slowOffer();
    CompletableFuture<Reply> pending =
        CompletableFuture.supplyAsync(() -> torg.get("/v1/offers/slow"));
    await(() -> arrived.get() == 1);
    assertThat(stopInBackground().join(TIMEOUT)).isTrue();
    Reply reply = pending.get(10, TimeUnit.SECONDS);
    assertThat(reply.status()).as(reply.body()).isEqualTo(503);
    assertThat(reply.json().get("code").asText()).isEqualTo("server.stopping");
  }

  @Test
  void close_endlessStreams_areClosedAtOnce_callsInProgressAreNot() throws Exception {
    AtomicReference<HttpResponseWriter> stream = new AtomicReference<>();
    HttpRoute events =
        new HttpRoute(
                HttpMethod.GET,
                "/plain/events",
                List.of(CallerKind.ANYONE),
                RouteDoc.of("test", "Tests", "test"),
                (_, _) -> {
                  HttpResponseWriter writer = HttpResponse.streaming();
                  writer.write(ResponseHeaders.of(200));
                  writer.write(HttpData.ofUtf8("first"));
                  stream.set(writer);
                  return writer;
                })
            .asEventStream();
    restart(ServerConfig.local(0), events);
    CompletableFuture<Reply> reader =
        CompletableFuture.supplyAsync(() -> torg.get("/plain/events"));
    CompletableFuture<HealthCheckResponse> watch = new CompletableFuture<>();
    CompletableFuture<Void> watchEnded = new CompletableFuture<>();
    HealthGrpc.newStub(torg.channel)
        .watch(HealthCheckRequest.getDefaultInstance(), into(watch, watchEnded));
    watch.get(10, TimeUnit.SECONDS);
    await(() -> stream.get() != null);
    slowOffer();
    CompletableFuture<Reply> pending =
        CompletableFuture.supplyAsync(() -> torg.get("/v1/offers/slow"));
    await(() -> arrived.get() == 1);

    Thread closing = stopInBackground();
    assertThat(reader).failsWithin(Duration.ofSeconds(5));
    assertThat(watchEnded).succeedsWithin(Duration.ofSeconds(5));
    await(() -> !stream.get().isOpen());
    assertThat(pending).isNotDone();
    slow.complete(Offer.getDefaultInstance());
    assertThat(pending.get(10, TimeUnit.SECONDS).status()).isEqualTo(200);
    assertThat(closing.join(TIMEOUT)).isTrue();
  }

  @Test
  void start_portInUse_leavesNoReadinessCheckBehind() {
    AtomicReference<Thread> checker = new AtomicReference<>();
    ReadinessCheck check =
        new ReadinessCheck(
            "database",
            () -> {
              checker.set(Thread.currentThread());
              return true;
            });
    assertThatThrownBy(
            () ->
                new RunningServer(
                    ServerConfig.local(torg.server.port()), List.of(), List.of(check)))
        .hasMessageContaining("in use");
    Thread thread = checker.get();
    assertThat(thread).isNotNull().isNotSameAs(Thread.currentThread());
    await(() -> !thread.isAlive());
  }
}
