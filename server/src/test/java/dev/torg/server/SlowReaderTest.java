package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.CallerKind;
import dev.torg.photos.Blob;
import dev.torg.server.photos.BlobResponse;
import dev.torg.server.quota.Bound;
import dev.torg.server.quota.Quotas;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients that request much and read nothing. Health is probed during each attack.
@Timeout(60)
class SlowReaderTest {
  static final int BLOB_BYTES = 2 << 20;

  /// Memory of one unread response.
  static final int HELD_BYTES = 64 << 10;

  /// Longer than any test runs.
  static final Duration NEVER = Duration.ofHours(1);

  final AtomicLong bytesRead = new AtomicLong();
  final AtomicInteger opened = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();
  final List<RawHttp2> clients = new ArrayList<>();
  RunningServer torg;

  void start(Quotas quotas) {
    HttpRoute large =
        new HttpRoute(
                HttpMethod.GET,
                "/large",
                List.of(CallerKind.ANYONE),
                RouteDoc.of("large", "Tests", "Two megabytes"),
                (ctx, _) ->
                    HttpResponse.of(
                        CompletableFuture.supplyAsync(
                            () -> large(ctx), ctx.blockingTaskExecutor())))
            .asStream();
    torg = new RunningServer(ServerConfig.local(0).withQuotas(quotas), List.of(large), List.of());
  }

  @AfterEach
  void stop() {
    clients.forEach(RawHttp2::close);
    torg.close();
  }

  HttpResponse large(ServiceRequestContext ctx) {
    return BlobResponse.of(
        ctx, ResponseHeaders.of(HttpStatus.OK), new Blob(BLOB_BYTES, new CountedBytes()));
  }

  final class CountedBytes extends InputStream {
    int remaining = BLOB_BYTES;

    CountedBytes() {
      opened.incrementAndGet();
    }

    @Override
    public int read() {
      throw new AssertionError("read in pieces");
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      int count = Math.min(remaining, length);
      remaining -= count;
      bytesRead.addAndGet(count);
      return count == 0 && length > 0 ? -1 : count;
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  RawHttp2 client(int window) {
    RawHttp2 client = new RawHttp2(torg.server.port(), window);
    clients.add(client);
    return client;
  }

  void attack(int connections, int callsEach) {
    for (int i = 0; i < connections; i++) {
      RawHttp2 client = client(0);
      for (int call = 0; call < callsEach; call++) {
        client.get("/large");
      }
    }
  }

  void assertHealthy() {
    assertThat(torg.get("/health").status()).isEqualTo(200);
    assertThat(torg.get("/metrics").status()).isEqualTo(200);
  }

  static void await(String resource, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(resource).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  double refused(String kind) {
    return torg.metrics.get("torg.refused").tag("kind", kind).counter().count();
  }

  @Test
  void images_notRead_holdTwoPiecesEach() {
    start(new TestQuotas().stall(NEVER).responseBytes(new Bound(1 << 30, 1 << 30)).build());
    attack(5, 100);
    await("all are requested", () -> opened.get() == 500);
    assertHealthy();
    assertThat(bytesRead.get()).isLessThanOrEqualTo(500L * HELD_BYTES);
    assertThat(closed).hasValue(0);
  }

  @Test
  void images_notRead_areResetAfterTheStallTimeout() {
    start(
        new TestQuotas()
            .stall(Duration.ofMillis(500))
            .responseBytes(new Bound(1 << 30, 1 << 30))
            .build());
    attack(5, 100);
    await("all are requested", () -> opened.get() == 500);
    assertHealthy();
    await("all are closed", () -> closed.get() == 500);
    // On a busy machine a connection may be closed before all its streams were reset one by one.
    assertThat(refused("stalled")).isBetween(1.0, 500.0);
  }

  @Test
  void image_notReadOverHttp1_losesItsConnection() throws IOException {
    start(new TestQuotas().stall(Duration.ofMillis(500)).build());
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4096);
      socket.connect(new java.net.InetSocketAddress("127.0.0.1", torg.server.port()));
      // Enough of them that no socket buffer holds the responses.
      String request = "GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
      socket.getOutputStream().write(request.repeat(20).getBytes(StandardCharsets.US_ASCII));
      await("the first is requested", () -> opened.get() > 0);
      assertHealthy();
      await("all are closed", () -> closed.get() == opened.get() && refused("stalled") > 0);
    }
  }

  @Test
  void image_readSlowlyButSteadily_isNotReset() throws Exception {
    start(new TestQuotas().stall(Duration.ofSeconds(2)).build());
    var response =
        torg.http.send(
            java.net.http.HttpRequest.newBuilder(java.net.URI.create(torg.server.uri() + "/large"))
                .build(),
            java.net.http.HttpResponse.BodyHandlers.ofInputStream());
    long count = 0;
    byte[] buffer = new byte[128 << 10];
    try (InputStream body = response.body()) {
      for (int piece = body.read(buffer); piece >= 0; piece = body.read(buffer)) {
        count += piece;
        java.util.concurrent.locks.LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      }
    }
    assertThat(count).isEqualTo(BLOB_BYTES);
    assertThat(refused("stalled")).isZero();
  }

  @Test
  void responseBytesOfOneAddress_areBounded() {
    start(
        new TestQuotas().stall(NEVER).responseBytes(new Bound(1 << 30, 10L * HELD_BYTES)).build());
    attack(1, 50);
    await("the others are refused", () -> refused("response-bytes") == 40);
    assertHealthy();
    assertThat(torg.get("/large").status()).isEqualTo(429);
    assertThat(torg.get("/large").json().get("code").asText()).isEqualTo("responses.too-many");
    assertThat(torg.get("/v1/offers/1").status()).isEqualTo(200);
    assertThat(bytesRead.get()).isLessThanOrEqualTo(10L * HELD_BYTES);
  }

  /// Metrics need no token and have no rate limit, so their unread responses have a bound of their own.
  @Test
  void metricsOfOneAddress_notRead_areBounded() {
    start(new TestQuotas().stall(NEVER).build());
    RawHttp2 client = client(0);
    for (int i = 0; i < 20; i++) {
      client.get("/metrics");
    }
    await("the others are refused", () -> refused("response-bytes") == 16);
    assertThat(torg.get("/health").status()).isEqualTo(200);
    assertThat(torg.get("/metrics").status()).isEqualTo(429);
    client.close();
    await("they are served again", () -> torg.get("/metrics").status() == 200);
  }

  @Test
  void documentsOfOneAddress_notRead_areBounded() {
    int perAddress = 500_000;
    start(new TestQuotas().stall(NEVER).responseBytes(new Bound(1 << 30, perAddress)).build());
    int length = torg.get("/openapi.json").body().length();
    RawHttp2 client = client(0);
    for (int i = 0; i < 100; i++) {
      client.get("/openapi.json");
    }
    await("the others are refused", () -> refused("response-bytes") == 100 - perAddress / length);
    assertHealthy();
  }

  /// Of an event stream for instance, whose client sends a body that the server does not expect.
  @Test
  void bodyOfAGet_isNotKept() {
    start(new TestQuotas().stall(NEVER).build());
    RawHttp2 client = client(0);
    int stream = client.open("GET", "/large", false);
    assertThat(client.read(RawHttp2.HEADERS).stream()).isEqualTo(stream);
    client.data(stream, new byte[16_000], false);
    client.data(stream, new byte[16_000], false);
    assertThat(client.read(RawHttp2.RST_STREAM).stream()).isEqualTo(stream);
    assertHealthy();
  }

  @Test
  void callsInFlightOfOneAddress_areBoundedAndThenItsConnectionsAreClosed() {
    start(new TestQuotas().stall(NEVER).calls(new Bound(1_000, 50)).build());
    attack(1, 60);
    await("some are refused", () -> refused("calls") == 10);
    assertHealthy();
    var refused = torg.get("/v1/offers/1");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.json().get("code").asText()).isEqualTo("calls.too-many");
    attack(1, 100);
    assertThat(readToTheEnd(clients.getLast())).isNull();
    // Its calls end shortly after their connection, and until then the address is above its limit.
    await("the address is served again", this::isServed);
    assertHealthy();
  }

  private boolean isServed() {
    try {
      return torg.get("/health").status() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /// Null, when the server closes the connection; it times out otherwise.
  static RawHttp2.Frame readToTheEnd(RawHttp2 client) {
    RawHttp2.Frame frame = client.read();
    while (frame != null) {
      frame = client.read();
    }
    return frame;
  }

  @Test
  void callsInFlightInTotal_areBounded() {
    start(new TestQuotas().stall(NEVER).calls(new Bound(50, 1_000)).build());
    attack(1, 60);
    await("some are refused", () -> refused("calls") == 10);
    assertHealthy();
    var refused = torg.get("/v1/offers/1");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.json().get("code").asText()).isEqualTo("calls.busy");
  }

  @Test
  void connectionsOfOneAddress_areBounded() throws IOException {
    start(new TestQuotas().connections(new Bound(1_000, 10)).build());
    assertHealthy();
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      sockets.add(new Socket("127.0.0.1", torg.server.port()));
    }
    await("the others are closed", () -> refused("connections") >= 10);
    assertHealthy();
    assertThat(sockets.stream().filter(SlowReaderTest::isClosed).count()).isGreaterThan(9);
    for (Socket socket : sockets) {
      socket.close();
    }
    await("places are free again", () -> isReachable());
  }

  static boolean isClosed(Socket socket) {
    try {
      socket.setSoTimeout(200);
      return socket.getInputStream().read() < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /// A ping is acknowledged by a frame that waits until the client reads it.
  @Test
  void pings_whoseResponsesAreNotRead_areNoLongerAccepted() throws Exception {
    start(Quotas.defaults());
    RawHttp2 client = client(0);
    byte[] pings = RawHttp2.pings(10_000);
    AtomicInteger sent = new AtomicInteger();
    Thread flood =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < 1_000 && client.send(pings); i++) {
                    sent.incrementAndGet();
                  }
                });
    await("the flood is held up", () -> isSteady(sent));
    // Socket buffers take some; what the server held would be a million frames more.
    assertThat(sent.get()).isLessThan(100);
    assertHealthy();
    client.close();
    flood.join();
  }

  private static boolean isSteady(AtomicInteger count) {
    int before = count.get();
    java.util.concurrent.locks.LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
    return count.get() == before;
  }

  boolean isReachable() {
    try (Socket socket = new Socket("127.0.0.1", torg.server.port())) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      return socket.getInputStream().read() == 'H';
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void http2Streams_areAnnounced() {
    start(Quotas.defaults());
    RawHttp2.Frame settings = client(0).read(RawHttp2.SETTINGS);
    var values = java.nio.ByteBuffer.wrap(settings.payload());
    java.util.Map<Integer, Integer> announced = new java.util.HashMap<>();
    while (values.hasRemaining()) {
      announced.put((int) values.getShort(), values.getInt());
    }
    assertThat(announced).containsEntry(3, 100);
  }
}
