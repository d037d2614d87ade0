package dev.torg.server;

import static dev.torg.server.SlowReaderTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.torg.api.v1.FeedMessage;
import dev.torg.api.v1.FeedServiceGrpc;
import dev.torg.api.v1.FeedTask;
import dev.torg.server.RunningServer.Reply;
import dev.torg.server.quota.Bound;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that send much of a request and never finish it. Health is probed during each attack.
@Timeout(60)
class SlowSenderTest {
  private static final int PER_ADDRESS = 100_000;

  /// Fits into the flow-control window that a client has at first.
  private static final int PART = 60_000;

  private static final String BATCH_GET = "/v1/offers:batchGet";

  private final List<AutoCloseable> clients = new ArrayList<>();
  private final RunningServer torg = start(new Bound(1 << 30, PER_ADDRESS));

  private static RunningServer start(Bound requestBytes) {
    return new RunningServer(
        ServerConfig.local(0).withQuotas(new TestQuotas().requestBytes(requestBytes).build()),
        new RequestBoundsTest.Feeds());
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable client : clients) {
      client.close();
    }
    torg.close();
  }

  private void assertHealthy() {
    assertThat(torg.get("/health").status()).isEqualTo(200);
    assertThat(torg.get("/v1/offers/1").status()).isEqualTo(200);
  }

  private double refused() {
    return torg.metrics.get("torg.refused").tag("kind", "request-bytes").counter().count();
  }

  private Socket unfinished(String length) throws IOException {
    Socket socket = new Socket("127.0.0.1", torg.server.port());
    clients.add(socket);
    socket.setSoTimeout(30_000);
    String head = "POST %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n".formatted(BATCH_GET, length);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(part(length.contains("chunked")));
    return socket;
  }

  private static byte[] part(boolean chunked) {
    String body = " ".repeat(PART);
    String sent = chunked ? "%x\r\n%s\r\n".formatted(PART, body) : body;
    return sent.getBytes(StandardCharsets.US_ASCII);
  }

  private static String statusLine(Socket socket) throws IOException {
    return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 900000", "Transfer-Encoding: chunked"})
  void bodiesOfOneAddress_notFinished_areBounded(String length) throws IOException {
    Socket first = unfinished(length);
    Socket second = unfinished(length);
    await("one is refused", () -> refused() == 1);
    assertHealthy();
    assertThat(large().status()).isEqualTo(429);
    assertThat(large().json().get("code").asText()).isEqualTo("requests.too-many");
    first.close();
    second.close();
    await("the memory is free again", () -> large().status() == 200);
  }

  private Reply large() {
    return torg.post(BATCH_GET, "{\"ids\":[\"1\"]" + " ".repeat(PART) + "}");
  }

  @Test
  void bodiesInTotal_notFinished_areBounded() throws IOException {
    try (RunningServer other = start(new Bound(PER_ADDRESS, 1 << 30));
        Socket socket = new Socket("127.0.0.1", other.server.port())) {
      socket.setSoTimeout(15_000);
      String head = "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n";
      socket.getOutputStream().write(head.formatted(BATCH_GET).getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(new byte[2 * PER_ADDRESS]);
      assertThat(statusLine(socket)).isEqualTo("HTTP/1.1 503");
      assertThat(other.get("/health").status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"OfferService/BatchGetOffers", "FeedService/Upload"})
  void grpcMessagesOfOneAddress_notFinished_areBounded(String method) {
    RawHttp2 client = new RawHttp2(torg.server.port(), 1 << 16);
    clients.add(client);
    int first = unfinishedMessage(client, "/torg.v1." + method);
    int second = unfinishedMessage(client, "/torg.v1." + method);
    await("one is refused", () -> refused() == 1);
    assertHealthy();
    assertThat(client.read(RawHttp2.HEADERS).stream()).isIn(first, second);
  }

  private int unfinishedMessage(RawHttp2 client, String path) {
    int stream =
        client.open(
            "POST",
            path,
            false,
            "content-type",
            "application/grpc",
            "te",
            "trailers",
            "authorization",
            "Bearer " + torg.user());
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(900_000).array());
    message.writeBytes(new byte[PART]);
    byte[] bytes = message.toByteArray();
    for (int from = 0; from < bytes.length; from += 16_000) {
      client.data(
          stream,
          java.util.Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + 16_000)),
          false);
    }
    return stream;
  }

  /// A stream of any length holds its unfinished message only.
  @Test
  void upload_ofManyMessages_isNotRefused() throws Exception {
    FeedMessage piece =
        FeedMessage.newBuilder().setData(ByteString.copyFrom(new byte[PART])).build();
    assertThat(upload(piece, 20).get(30, TimeUnit.SECONDS).getCreated()).isEqualTo(20);
    assertThat(refused()).isZero();
  }

  @Test
  void upload_messageBeyondTheMemoryOfItsAddress_isExhausted() {
    FeedMessage large =
        FeedMessage.newBuilder().setData(ByteString.copyFrom(new byte[2 * PER_ADDRESS])).build();
    StatusRuntimeException refusal =
        (StatusRuntimeException)
            catchThrowableOfType(
                    ExecutionException.class, () -> upload(large, 1).get(30, TimeUnit.SECONDS))
                .getCause();
    assertThat(refusal.getStatus().getCode())
        .as("%s", refusal)
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  private CompletableFuture<FeedTask> upload(FeedMessage message, int times) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + torg.user());
    FirstResponse<FeedTask> response = new FirstResponse<>();
    StreamObserver<FeedMessage> stream =
        FeedServiceGrpc.newStub(torg.channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
            .upload(response);
    for (int i = 0; i < times; i++) {
      stream.onNext(message);
    }
    stream.onCompleted();
    return response.first;
  }
}
