package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.GetOfferRequest;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.server.quota.Bound;
import dev.torg.server.quota.Quotas;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// gRPC calls that would take forever, and any number of streams. Health is probed during each
/// attack.
@Timeout(60)
class GrpcDeadlineTest {
  static final Duration TIMEOUT = Duration.ofMillis(700);

  RunningServer torg;

  void start(Quotas quotas) {
    torg =
        new RunningServer(
            ServerConfig.local(0).withTimeout(TIMEOUT).withQuotas(quotas), List.of(), List.of());
  }

  @AfterEach
  void stop() {
    torg.close();
  }

  void assertHealthy() {
    assertThat(torg.get("/health").status()).isEqualTo(200);
    assertThat(torg.get("/metrics").status()).isEqualTo(200);
    assertThat(
            HealthGrpc.newBlockingStub(torg.channel)
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatus())
        .isEqualTo(HealthCheckResponse.ServingStatus.SERVING);
  }

  /// Sends the first byte of a message of a megabyte, and nothing more.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/torg.v1.OfferService/GetOffer",
        "/grpc.health.v1.Health/Check",
        "/grpc.health.v1.Health/Watch",
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
      })
  void unfinishedMessage_isAbandoned(String path) {
    start(Quotas.defaults());
    try (RawHttp2 client = new RawHttp2(torg.server.port(), 1 << 16)) {
      int stream = client.open("POST", path, false, headers("99999999H"));
      client.data(stream, new byte[] {0, 0, 15, 0, 0, 1}, false);
      assertHealthy();
      RawHttp2.Frame end = client.read(RawHttp2.RST_STREAM);
      assertThat(end).isNotNull();
      assertThat(end.stream()).isEqualTo(stream);
    }
  }

  static String[] headers(String timeout) {
    return new String[] {
      "content-type", "application/grpc", "te", "trailers", "grpc-timeout", timeout
    };
  }

  @Test
  void unaryCall_withoutDeadline_endsAtTheServersTimeout() {
    start(Quotas.defaults());
    torg.offers.next = _ -> new CompletableFuture<Offer>();
    StatusRuntimeException e =
        org.assertj.core.api.Assertions.catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                OfferServiceGrpc.newBlockingStub(torg.channel)
                    .getOffer(GetOfferRequest.newBuilder().setId("7").build()));
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertHealthy();
  }

  @Test
  void unaryCall_withAShorterDeadline_endsThen() throws Exception {
    torg =
        new RunningServer(
            ServerConfig.local(0).withTimeout(Duration.ofHours(1)), List.of(), List.of());
    torg.offers.next = _ -> new CompletableFuture<Offer>();
    try (RawHttp2 client = new RawHttp2(torg.server.port(), 1 << 16)) {
      int stream = client.open("POST", "/torg.v1.OfferService/GetOffer", false, headers("300m"));
      byte[] message = GetOfferRequest.newBuilder().setId("7").build().toByteArray();
      byte[] frame = new byte[5 + message.length];
      frame[4] = (byte) message.length;
      System.arraycopy(message, 0, frame, 5, message.length);
      client.data(stream, frame, true);
      assertThat(client.read(RawHttp2.HEADERS).stream()).isEqualTo(stream);
    }
  }

  @Test
  void healthWatch_staysOpenAndIsBoundedByAddress() throws Exception {
    start(new TestQuotas().stall(TIMEOUT).streams(new Bound(1_000, 5)).build());
    List<FirstResponse<HealthCheckResponse>> watches = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      FirstResponse<HealthCheckResponse> watched = new FirstResponse<>();
      HealthGrpc.newStub(torg.channel).watch(HealthCheckRequest.getDefaultInstance(), watched);
      watches.add(watched);
      watched.first.handle((_, _) -> null).get(20, TimeUnit.SECONDS);
    }
    assertHealthy();
    assertThat(watches.stream().filter(watched -> watched.failed.isDone()).count()).isEqualTo(3);
    assertThat(Status.fromThrowable(watches.getLast().failed.join()).getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    Thread.sleep(2 * TIMEOUT.toMillis());
    assertThat(watches.getFirst().failed).isNotDone();
  }

  @Test
  void reflection_withoutAnotherRequest_ends() throws Exception {
    start(Quotas.defaults());
    FirstResponse<ServerReflectionResponse> responses = new FirstResponse<>();
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(torg.channel).serverReflectionInfo(responses);
    requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    assertThat(
            responses.first.get(20, TimeUnit.SECONDS).getListServicesResponse().getServiceCount())
        .isPositive();
    assertHealthy();
    assertThat(responses.failed.get(20, TimeUnit.SECONDS)).isNotNull();
  }
}
