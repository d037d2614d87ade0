package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import dev.torg.api.v1.BatchGetOffersRequest;
import dev.torg.api.v1.GetOfferRequest;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferServiceGrpc;
import dev.torg.api.v1.Problem;
import dev.torg.server.RunningServer.Reply;
import dev.torg.server.quota.Bound;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Responses that would be too large, and where they are printed.
@Timeout(60)
class ResponseSizeTest {
  static final String DESCRIPTION = "<".repeat(40_000);

  RunningServer torg = new RunningServer();

  @AfterEach
  void stop() {
    torg.close();
  }

  Reply batchGet(int offers) {
    String ids =
        IntStream.range(0, offers)
            .mapToObj(i -> "\"" + i + "\"")
            .collect(Collectors.joining(",", "{\"ids\":[", "]}"));
    return torg.post("/v1/offers:batchGet", ids);
  }

  void describe(String description) {
    torg.offers.next =
        id ->
            CompletableFuture.completedFuture(
                Offer.newBuilder().setId(id).setDescription(description).build());
  }

  double refused(String kind) {
    return torg.metrics.get("torg.refused").tag("kind", kind).counter().count();
  }

  @Test
  void batchOf500_withLongTexts_isRefusedBeforeItIsPrinted() {
    describe(DESCRIPTION);
    Reply refused = batchGet(500);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().get("code").asText()).isEqualTo("response.too-large");
    assertThat(refused.json().get("detail").asText()).contains("request fewer items");
    assertThat(refused("response-too-large")).isEqualTo(1);
    assertThat(torg.get("/health").status()).isEqualTo(200);
  }

  @Test
  void batchOf500_withLongTexts_isRefusedOverGrpcWithTheSameMessage() throws Exception {
    describe(DESCRIPTION);
    BatchGetOffersRequest.Builder request = BatchGetOffersRequest.newBuilder();
    IntStream.range(0, 500).forEach(i -> request.addIds(Integer.toString(i)));
    StatusRuntimeException e =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> OfferServiceGrpc.newBlockingStub(torg.channel).batchGetOffers(request.build()));
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(StatusProto.fromThrowable(e).getDetails(0).unpack(Problem.class).getCode())
        .isEqualTo("response.too-large");
  }

  @Test
  void textThatHtmlWouldEscape_isPrintedAsItIs() {
    describe(DESCRIPTION);
    Reply response = batchGet(150);
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.body().length()).isBetween(6_000_000, 6_200_000);
    assertThat(response.json().at("/offers/149/description").asText()).isEqualTo(DESCRIPTION);
  }

  @Test
  void escapes_areJson() {
    String text = "a<b>&='\"\\ \u0001\u2028\\u003c é 😀";
    describe(text);
    assertThat(torg.get("/v1/offers/1").json().get("description").asText()).isEqualTo(text);
    assertThat(torg.get("/v1/offers/1").body()).contains("a<b>&='\\\"\\\\ ");
  }

  @Test
  void textThatGrowsInJson_isRefusedWhileItIsPrinted() {
    describe("\u0001".repeat(2_000_000));
    Reply refused = torg.get("/v1/offers/1");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().get("code").asText()).isEqualTo("response.too-large");
    assertThat(
            OfferServiceGrpc.newBlockingStub(torg.channel)
                .getOffer(GetOfferRequest.newBuilder().setId("1").build())
                .getDescription())
        .hasSize(2_000_000);
  }

  @Test
  void textThatGrowsInJson_isRefusedOverGrpcWithJsonToo() {
    describe("\u0001".repeat(2_000_000));
    Reply refused =
        torg.post(
            "/torg.v1.OfferService/GetOffer",
            "{\"id\":\"1\"}",
            "Content-Type",
            "application/json; charset=utf-8; protocol=gRPC");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().get("code").asText()).isEqualTo("response.too-large");
  }

  @Test
  void largeResponse_isNotPrintedOnTheCompletingThread() throws Exception {
    Offer large = Offer.newBuilder().setId("1").setDescription("x".repeat(3_000_000)).build();
    CompletableFuture<Offer> read = new CompletableFuture<>();
    torg.offers.next = _ -> read;
    CompletableFuture<Long> allocated = new CompletableFuture<>();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    CompletableFuture<Reply> response =
        CompletableFuture.supplyAsync(() -> torg.get("/v1/offers/1"));
    SlowReaderTest.await("the service is called", () -> torg.offers.thread != null);
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  long before = threads.getCurrentThreadAllocatedBytes();
                  read.complete(large);
                  allocated.complete(threads.getCurrentThreadAllocatedBytes() - before);
                });
    assertThat(response.get().status()).isEqualTo(200);
    reader.join();
    assertThat(allocated.get()).isLessThan(500_000);
  }

  @Test
  void largeResponsesOfOneAddress_areBounded() {
    torg.close();
    torg =
        new RunningServer(
            ServerConfig.local(0)
                .withQuotas(new TestQuotas().responseBytes(new Bound(1 << 30, 1_000_000)).build()),
            List.of(),
            List.of());
    describe("x".repeat(400_000));
    assertThat(torg.get("/v1/offers/1").status()).isEqualTo(200);
    assertThat(torg.get("/v1/offers/1").status()).isEqualTo(200);
    describe("x".repeat(1_100_000));
    Reply refused = torg.get("/v1/offers/1");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.json().get("code").asText()).isEqualTo("responses.too-many");
    assertThat(refused("response-bytes")).isEqualTo(1);
  }
}
