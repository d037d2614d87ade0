package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.GetOfferRequest;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.api.v1.Problem;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import dev.torg.platform.db.CommitUnknown;
import dev.torg.server.RunningServer.Reply;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A failure is the same failure over gRPC and over HTTP, for every kind.
class FailureMappingTest {
  /// From google/rpc/code.proto.
  static final Map<Status.Code, Integer> HTTP_OF_GRPC =
      Map.of(
          Status.Code.INVALID_ARGUMENT, 400,
          Status.Code.UNAUTHENTICATED, 401,
          Status.Code.PERMISSION_DENIED, 403,
          Status.Code.NOT_FOUND, 404,
          Status.Code.ABORTED, 409,
          Status.Code.RESOURCE_EXHAUSTED, 429,
          Status.Code.INTERNAL, 500,
          Status.Code.UNAVAILABLE, 503);

  static final Map<Failure.Kind, Integer> HTTP_OF_KIND =
      Map.of(
          Failure.Kind.INVALID, 400,
          Failure.Kind.UNAUTHENTICATED, 401,
          Failure.Kind.FORBIDDEN, 403,
          Failure.Kind.NOT_FOUND, 404,
          Failure.Kind.CONFLICT, 409,
          Failure.Kind.EXHAUSTED, 429,
          Failure.Kind.UNAVAILABLE, 503);

  static RunningServer torg;

  @BeforeAll
  static void start() {
    torg = new RunningServer();
  }

  @AfterAll
  static void stop() {
    torg.close();
  }

  static StatusRuntimeException grpcFailure() {
    return catchThrowableOfType(
        StatusRuntimeException.class,
        () ->
            OfferServiceGrpc.newBlockingStub(torg.channel)
                .getOffer(GetOfferRequest.newBuilder().setId("1").build()));
  }

  static Problem problem(StatusRuntimeException e) throws InvalidProtocolBufferException {
    com.google.rpc.Status status = StatusProto.fromThrowable(e);
    assertThat(status.getCode()).isEqualTo(e.getStatus().getCode().value());
    return status.getDetails(0).unpack(Problem.class);
  }

  @ParameterizedTest
  @EnumSource(Failure.Kind.class)
  void everyKind_agreesOverGrpcAndHttp(Failure.Kind kind) throws Exception {
    Failure failure =
        new Failure(
            kind,
            "some.code",
            "не сегодня",
            List.of(new Violation("offer.title", "too short"), new Violation("ids[3]", "no")),
            null);
    torg.offers.next = _ -> CompletableFuture.failedFuture(failure);

    Reply http = torg.get("/v1/offers/1");
    StatusRuntimeException grpc = grpcFailure();
    Problem detail = problem(grpc);

    assertThat(http.status()).isEqualTo(HTTP_OF_KIND.get(kind));
    assertThat(HTTP_OF_GRPC.get(grpc.getStatus().getCode())).isEqualTo(http.status());
    assertThat(grpc.getStatus().getDescription()).isEqualTo("не сегодня");
    assertThat(http.json().get("detail").asText()).isEqualTo(detail.getDetail());
    assertThat(http.json().get("code").asText()).isEqualTo("some.code").isEqualTo(detail.getCode());
    assertThat(detail.getKind()).isEqualTo(kind.name());
    assertThat(http.json().fieldNames())
        .toIterable()
        .containsExactly("type", "title", "status", "code", "detail", "violations", "requestId");
    assertThat(http.json().get("violations")).hasSize(2);
    assertThat(http.json().at("/violations/1/field").asText())
        .isEqualTo(detail.getViolations(1).getField());
    assertThat(http.json().at("/violations/0/message").asText())
        .isEqualTo(detail.getViolations(0).getMessage());
    assertThat(http.json().get("requestId").asText()).isEqualTo(http.header("x-request-id"));
    assertThat(detail.getRequestId()).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource(Failure.Kind.class)
  void everyKind_agreesWhenThrownInsteadOfReturned(Failure.Kind kind) throws Exception {
    torg.offers.next =
        _ -> {
          throw Failure.of(kind, "thrown.code", "no");
        };
    assertThat(torg.get("/v1/offers/1").status()).isEqualTo(HTTP_OF_KIND.get(kind));
    assertThat(problem(grpcFailure()).getKind()).isEqualTo(kind.name());
  }

  @Test
  void unexpectedFailure_reportsIdAndNoInternals() throws Exception {
    torg.offers.next =
        _ -> CompletableFuture.failedFuture(new IllegalStateException("password=secret"));
    Reply http = torg.get("/v1/offers/1", "X-Request-Id", "my-id");
    StatusRuntimeException grpc = grpcFailure();
    assertThat(http.status()).isEqualTo(500);
    assertThat(http.json().get("code").asText()).isEqualTo("internal");
    assertThat(http.json().get("detail").asText()).contains("my-id");
    assertThat(http.body()).doesNotContain("secret").doesNotContain("IllegalState");
    assertThat(grpc.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
    assertThat(grpc.getTrailers().toString() + grpc.getMessage())
        .doesNotContain("secret")
        .doesNotContain("IllegalState");
    assertThat(problem(grpc).getRequestId()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"me", "error"})
  void unexpectedFailureThrownByBlockingService_revealsNoInternals(String seller) {
    Reply http =
        torg.post(
            "/v1/sellers/" + seller + "/presets:repair",
            null,
            "Authorization",
            "Bearer " + torg.token("user:1", Role.ADMIN));
    assertThat(http.status()).isEqualTo(500);
    assertThat(http.body()).doesNotContain("secret").contains(http.header("x-request-id"));
  }

  @Test
  void errorThrownByAsyncService_getsAResponse() {
    torg.offers.next =
        _ -> {
          throw new StackOverflowError("secret");
        };
    Reply http = torg.get("/v1/offers/1");
    assertThat(http.status()).isEqualTo(500);
    assertThat(http.body()).doesNotContain("secret").contains(http.header("x-request-id"));
    assertThat(grpcFailure().getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
  }

  @Test
  void unexpectedFailure_isLoggedOnceWithItsId() {
    try (CapturedLog log = new CapturedLog()) {
      torg.offers.next = _ -> CompletableFuture.failedFuture(new IllegalStateException("boom"));
      torg.get("/v1/offers/1", "X-Request-Id", "logged-id");
      assertThat(log.lines()).filteredOn(line -> line.contains("logged-id")).hasSize(1);
      grpcFailure();
      assertThat(log.lines()).filteredOn(line -> line.contains("unexpectedly")).hasSize(2);
    }
  }

  @Test
  void lostResponseToCommit_isUnavailable() throws Exception {
    torg.offers.next =
        _ -> CompletableFuture.failedFuture(new CommitUnknown(new SQLException("secret")));
    Reply http = torg.get("/v1/offers/1");
    StatusRuntimeException grpc = grpcFailure();
    assertThat(http.status()).isEqualTo(503);
    assertThat(http.json().get("code").asText()).isEqualTo("commit.unknown");
    assertThat(http.body()).doesNotContain("secret");
    assertThat(grpc.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(problem(grpc).getCode()).isEqualTo("commit.unknown");
  }

  @Test
  void expectedFailure_isNotLogged() {
    try (CapturedLog log = new CapturedLog()) {
      torg.offers.next = _ -> CompletableFuture.failedFuture(Failure.notFound("x", "no"));
      torg.get("/v1/offers/1");
      grpcFailure();
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void servedButNotImplemented_isNotFound() throws Exception {
    assertThat(torg.get("/v1/offers/1/priceHistory").json().get("code").asText())
        .isEqualTo("rpc.unimplemented");
  }
}
