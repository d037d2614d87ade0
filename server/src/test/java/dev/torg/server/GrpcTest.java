package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.torg.api.v1.GetOfferRequest;
import dev.torg.api.v1.IdentityServiceGrpc;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.api.v1.OfferServiceGrpc.OfferServiceBlockingStub;
import dev.torg.api.v1.Problem;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.api.v1.WhoAmIRequest;
import dev.torg.platform.Failure;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.StatusProto;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// gRPC with grpc-java's client, gRPC-Web, and gRPC's own services.
class GrpcTest {
  static RunningServer torg;

  @BeforeAll
  static void start() {
    torg = new RunningServer();
  }

  @AfterAll
  static void stop() {
    torg.close();
  }

  static OfferServiceBlockingStub offers(String... headers) {
    Metadata metadata = new Metadata();
    for (int i = 0; i < headers.length; i += 2) {
      metadata.put(Metadata.Key.of(headers[i], Metadata.ASCII_STRING_MARSHALLER), headers[i + 1]);
    }
    return OfferServiceGrpc.newBlockingStub(torg.channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  @Test
  void get_offer_responds() {
    assertThat(offers().getOffer(GetOfferRequest.newBuilder().setId("7").build()).getId())
        .isEqualTo("7");
  }

  @Test
  void publish_callerAndIdempotencyKey_reachTheService() throws Exception {
    PublishOfferRequest request =
        PublishOfferRequest.newBuilder()
            .setOffer(Offer.newBuilder().setTitle("Bike"))
            .setIdempotencyKey("field")
            .build();
    Offer published =
        offers("authorization", "Bearer " + torg.user(), "idempotency-key", "header")
            .publishOffer(request.toBuilder().clearIdempotencyKey().build());
    assertThat(published.getSellerId()).isEqualTo("user:42");
    assertThat(torg.offers.idempotencyKey).isEqualTo("header");
    assertInvalid(
        () ->
            offers("authorization", "Bearer " + torg.user(), "idempotency-key", "header")
                .publishOffer(request),
        "idempotencyKey");
    offers("authorization", "Bearer " + torg.user()).publishOffer(request);
    assertThat(torg.offers.idempotencyKey).isEqualTo("field");
  }

  static void assertInvalid(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String field) throws Exception {
    StatusRuntimeException e = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    Problem problem = StatusProto.fromThrowable(e).getDetails(0).unpack(Problem.class);
    assertThat(problem.getViolations(0).getField()).isEqualTo(field);
  }

  @Test
  void publish_textWithNul_isInvalid() throws Exception {
    PublishOfferRequest request =
        PublishOfferRequest.newBuilder().setOffer(Offer.newBuilder().setTitle("a\0b")).build();
    assertInvalid(
        () -> offers("authorization", "Bearer " + torg.user()).publishOffer(request),
        "offer.title");
    torg.offers.next = _ -> CompletableFuture.failedFuture(new AssertionError("reached"));
    try {
      assertInvalid(
          () -> offers().getOffer(GetOfferRequest.newBuilder().setId("\0").build()), "id");
    } finally {
      torg.offers.next =
          id -> CompletableFuture.completedFuture(Offer.newBuilder().setId(id).build());
    }
  }

  @Test
  void publish_withoutToken_isUnauthenticatedWithProblem() throws Exception {
    StatusRuntimeException e =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> offers().publishOffer(PublishOfferRequest.getDefaultInstance()));
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(StatusProto.fromThrowable(e).getDetails(0).unpack(Problem.class).getCode())
        .isEqualTo("token.missing");
  }

  @Test
  void requestId_ofTheCaller_isReturnedInHeadersAndProblem() throws Exception {
    var headers = new java.util.concurrent.atomic.AtomicReference<Metadata>();
    var trailers = new java.util.concurrent.atomic.AtomicReference<Metadata>();
    offers("x-request-id", "mine-1")
        .withInterceptors(MetadataUtils.newCaptureMetadataInterceptor(headers, trailers))
        .getOffer(GetOfferRequest.newBuilder().setId("7").build());
    assertThat(headers.get().get(Metadata.Key.of("x-request-id", Metadata.ASCII_STRING_MARSHALLER)))
        .isEqualTo("mine-1");
    StatusRuntimeException e =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                offers("x-request-id", "mine-2")
                    .publishOffer(PublishOfferRequest.getDefaultInstance()));
    assertThat(StatusProto.fromThrowable(e).getDetails(0).unpack(Problem.class).getRequestId())
        .isEqualTo("mine-2");
  }

  @Test
  void publish_moreThanEightMegabytes_isInvalid() throws Exception {
    PublishOfferRequest large =
        PublishOfferRequest.newBuilder()
            .setOffer(Offer.newBuilder().setDescription("x".repeat(9 << 20)))
            .build();
    StatusRuntimeException e =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> offers("authorization", "Bearer " + torg.user()).publishOffer(large));
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(StatusProto.fromThrowable(e).getDetails(0).unpack(Problem.class).getCode())
        .isEqualTo("request.too-large");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gproto-web", "gproto-web-text", "gjson", "gproto"})
  void otherProtocols_respondAlike(String format) {
    var stub =
        GrpcClients.newClient(
            format + "+" + torg.server.uri(), OfferServiceGrpc.OfferServiceBlockingStub.class);
    assertThat(stub.getOffer(GetOfferRequest.newBuilder().setId("7").build()).getId())
        .isEqualTo("7");
    torg.offers.next = _ -> CompletableFuture.failedFuture(Failure.conflict("x.y", "no"));
    try {
      StatusRuntimeException e =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () -> stub.getOffer(GetOfferRequest.newBuilder().setId("7").build()));
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
      assertThat(e.getStatus().getDescription()).isEqualTo("no");
    } finally {
      torg.offers.next =
          id -> CompletableFuture.completedFuture(Offer.newBuilder().setId(id).build());
    }
    assertThat(
            catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> stub.publishOffer(PublishOfferRequest.getDefaultInstance()))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  /// As browsers do it: a POST with a framed message, trailers in the body.
  @Test
  void grpcWeb_rawRequest_respondsWithMessageAndTrailers() throws Exception {
    byte[] message = GetOfferRequest.newBuilder().setId("7").build().toByteArray();
    byte[] frame = new byte[5 + message.length];
    frame[4] = (byte) message.length;
    System.arraycopy(message, 0, frame, 5, message.length);
    var response =
        torg.http.send(
            java.net.http.HttpRequest.newBuilder(
                    java.net.URI.create(torg.server.uri() + "/torg.v1.OfferService/GetOffer"))
                .header("Content-Type", "application/grpc-web+proto")
                .header("X-Grpc-Web", "1")
                .POST(java.net.http.HttpRequest.BodyPublishers.ofByteArray(frame))
                .build(),
            java.net.http.HttpResponse.BodyHandlers.ofByteArray());
    byte[] body = response.body();
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(body[0]).isZero();
    Offer offer = Offer.parseFrom(java.util.Arrays.copyOfRange(body, 5, 5 + body[4]));
    assertThat(offer.getId()).isEqualTo("7");
    assertThat(new String(body, 5 + body[4], body.length - 5 - body[4], "US-ASCII"))
        .contains("grpc-status:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000000003ffffff", // no protobuf
        "7c00000000", // reserved bits
        "010000000100", // compressed without a declared encoding
        "000000000a0a01", // cut off
        "" // nothing at all
      })
  void malformedMessage_isInvalidAndNotLogged(String hex) {
    assertMalformed(HexFormat.of().parseHex(hex));
  }

  /// It is not inspected: messages are accepted uncompressed only.
  @Test
  void malformedCompression_isUnimplementedAndNotLogged() {
    assertRefused(
        Status.Code.UNIMPLEMENTED,
        HexFormat.of().parseHex("0100000003ffffff"),
        "Grpc-Encoding",
        "gzip");
  }

  private static void assertMalformed(byte[] body) {
    assertRefused(Status.Code.INVALID_ARGUMENT, body);
  }

  private static void assertRefused(Status.Code code, byte[] body, String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("Content-Type", "application/grpc-web+proto"));
    try (CapturedLog log = new CapturedLog()) {
      var reply =
          torg.sendBytes(
              "POST", "/torg.v1.OfferService/GetOffer", body, all.toArray(String[]::new));
      String notified = reply.response().headers().map() + reply.body();
      assertThat(notified)
          .containsPattern("grpc-status[:=]\\[?" + code.value() + "\\b")
          .contains("grpc-status-details-bin");
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void unframedJson_atTheGrpcAddress_respondsAsDocumented() {
    var reply =
        torg.send(
            "POST",
            "/torg.v1.OfferService/GetOffer",
            "{\"id\":\"7\"}",
            "Authorization",
            "Bearer " + torg.user());
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.json().get("id").asText()).isEqualTo("7");
    var refused = torg.send("POST", "/torg.v1.OfferService/PublishOffer", "{}");
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.json().get("code").asText()).isEqualTo("token.missing");
    var wrong = torg.send("POST", "/torg.v1.OfferService/GetOffer", "{\"nope\":1}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.json().at("/violations/0/field").asText()).isEqualTo("nope");
  }

  @Test
  void health_isServing() {
    assertThat(
            HealthGrpc.newBlockingStub(torg.channel)
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatus())
        .isEqualTo(ServingStatus.SERVING);
  }

  @Test
  void reflection_listsTheServices() throws Exception {
    FirstResponse<ServerReflectionResponse> responses = new FirstResponse<>();
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(torg.channel).serverReflectionInfo(responses);
    requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    assertThat(responses.first.get(10, TimeUnit.SECONDS).getListServicesResponse().getServiceList())
        .extracting("name")
        .contains("torg.v1.OfferService", "torg.v1.IdentityService", "grpc.health.v1.Health");
    requests.onCompleted();
  }

  @Test
  void calls_areMeasuredByMethodAndOutcome() {
    torg.get("/v1/offers/1");
    assertThatThrownBy(
            () ->
                IdentityServiceGrpc.newBlockingStub(torg.channel)
                    .whoAmI(WhoAmIRequest.getDefaultInstance()))
        .isInstanceOf(StatusRuntimeException.class);
    String metrics = torg.get("/metrics").body();
    assertThat(metrics)
        .containsPattern(
            "torg_calls_seconds_count\\{method=\"torg.v1.OfferService/GetOffer\",outcome=\"OK\"} [1-9]")
        .containsPattern(
            "torg_calls_seconds_count\\{method=\"torg.v1.IdentityService/WhoAmI\",outcome=\"UNAUTHENTICATED\"} [1-9]");
  }
}
