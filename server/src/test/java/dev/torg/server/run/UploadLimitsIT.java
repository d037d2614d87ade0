package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.server.config.Setting;
import dev.torg.server.run.TestTorg.TestUser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Stalled uploads and streams, many of them. Health is probed during each attack.
@Tag(TestTorg.OWN)
class UploadLimitsIT {
  @RegisterExtension
  static final TestTorg TORG = new TestTorg(Map.of(Setting.STREAMS_PER_ADDRESS, "3"));

  private static final int ATTACKERS = 100;

  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  /// A request whose body is announced and never sent.
  private Socket stall(TestUser user, String path, String contentType, String beginning)
      throws IOException {
    Socket socket = new Socket("127.0.0.1", TORG.uri("/").getPort());
    socket.setSoTimeout((int) Duration.ofSeconds(30).toMillis());
    sockets.add(socket);
    String head =
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: 1000000\r\n\r\n%s"
            .formatted(path, user.token(), contentType, beginning);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String statusLine(Socket socket) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = socket.getInputStream().read(); c >= 0 && c != '\r'; ) {
      line.append((char) c);
      c = socket.getInputStream().read();
    }
    return line.toString();
  }

  private static void assertHealthy() {
    TORG.get(TestTorg.unauthenticated(), "/health").ok();
    TORG.get(TestTorg.unauthenticated(), "/photos/none/full").failed(404, "photo.not-found");
  }

  @Test
  void refusedFeeds_whoseBodiesStall_getAResponsePromptly() throws IOException {
    TestUser attacker = TORG.user();
    long start = System.nanoTime();
    for (int i = 0; i < ATTACKERS; i++) {
      stall(attacker, "/v1/feeds/user:other?taskId=1&format=ndjson", "text/plain", "");
    }
    assertHealthy();
    for (Socket socket : sockets) {
      assertThat(statusLine(socket)).startsWith("HTTP/1.1 403");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void feedOfPackedBlankLines_fails() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    byte[] blank = new byte[1 << 20];
    java.util.Arrays.fill(blank, (byte) '\n');
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      for (int i = 0; i < 200; i++) {
        gzip.write(blank);
      }
    }
    TestUser seller = TORG.user();
    var reply =
        TORG.sendBytes(seller, "/v1/feeds/me?taskId=1&format=ndjson", packed.toByteArray()).ok();
    assertThat(reply.text("status")).isEqualTo("FAILED");
    assertThat(reply.text("message")).contains("no item in");
  }

  @Test
  void photoUploads_beyondFourOfACaller_areRefusedBeforeTheirBody() throws IOException {
    TestUser user = TORG.user();
    String offer = TORG.publish(user, "A lamp");
    String path = "/v1/offers/" + offer + "/photos";
    String type = "multipart/form-data; boundary=torg";
    String part =
        "--torg\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\r\nabc";
    for (int i = 0; i < 4; i++) {
      stall(user, path, type, part);
    }
    TestTorg.await("four are being uploaded", () -> uploads() == 4);
    assertHealthy();
    assertThat(statusLine(stall(user, path, type, part))).startsWith("HTTP/1.1 429");
    assertThat(uploads()).isEqualTo(4);
    close();
    TestTorg.await("their files are gone", () -> uploads() == 0);
    TORG.upload(user, path, "a.jpg", new byte[10], Map.of()).ok();
  }

  private static long uploads() {
    try (var files = Files.list(TORG.data().resolve("uploads"))) {
      return files.count();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void photoUpload_toAFullOffer_isRefusedBeforeItsBody() throws IOException {
    TestUser user = TORG.user();
    String path = "/v1/offers/" + TORG.publish(user, "A lamp") + "/photos";
    for (int i = 0; i < 30; i++) {
      TORG.post(user, path, "{\"url\":\"http://photos.example/%d.jpg\"}".formatted(i)).ok();
    }
    Socket upload =
        stall(
            user,
            path,
            "multipart/form-data; boundary=torg",
            "--torg\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\r\nabc");
    assertThat(statusLine(upload)).startsWith("HTTP/1.1 400");
  }

  @Test
  void eventStreams_ofManyIdentitiesOfOneAddress_areBounded() throws IOException {
    for (int i = 0; i < 3; i++) {
      assertThat(statusLine(stream(TORG.anonymous()))).startsWith("HTTP/1.1 200");
    }
    assertHealthy();
    assertThat(statusLine(stream(TORG.anonymous()))).startsWith("HTTP/1.1 429");
    close();
    TestTorg.await(
        "places are free again",
        () -> {
          try {
            return statusLine(stream(TORG.anonymous())).startsWith("HTTP/1.1 200");
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
  }

  private Socket stream(TestUser user) throws IOException {
    Socket socket = new Socket("127.0.0.1", TORG.uri("/").getPort());
    socket.setSoTimeout((int) Duration.ofSeconds(30).toMillis());
    sockets.add(socket);
    String head =
        "GET /v1/notifications/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(user.token());
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
