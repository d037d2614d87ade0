package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Connections on which no call ever starts.
@Execution(ExecutionMode.CONCURRENT)
class IdleConnectionTest {
  static final Duration MAX_WAIT = Duration.ofSeconds(40);

  static RunningServer torg;

  @BeforeAll
  static void start() {
    torg = new RunningServer();
  }

  @AfterAll
  static void stop() {
    torg.close();
  }

  @Test
  void connections_withoutACall_areClosed() throws Exception {
    var silent = closed("");
    var halfLine = closed("GET /v1/off");
    var halfHeaders = closed("GET /v1/offers/1 HTTP/1.1\r\nHost: x\r\n");
    var dripping = dripping();
    for (var connection : java.util.List.of(silent, halfLine, halfHeaders, dripping)) {
      assertThat(connection.get(MAX_WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    assertThat(torg.get("/health").status()).isEqualTo(200);
  }

  static CompletableFuture<Boolean> closed(String sent) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (Socket socket = socket(sent)) {
            return isClosed(socket);
          } catch (IOException e) {
            return true;
          }
        },
        command -> Thread.ofVirtual().start(command));
  }

  /// One more byte of a header each second.
  static CompletableFuture<Boolean> dripping() {
    return CompletableFuture.supplyAsync(
        () -> {
          try (Socket socket = socket("GET /v1/offers/1 HTTP/1.1\r\nHost: x\r\nX-Long: ")) {
            while (true) {
              Thread.sleep(1_000);
              socket.getOutputStream().write('x');
            }
          } catch (IOException | InterruptedException e) {
            return true;
          }
        },
        command -> Thread.ofVirtual().start(command));
  }

  static Socket socket(String sent) throws IOException {
    Socket socket = new Socket("127.0.0.1", torg.server.port());
    socket.setSoTimeout((int) MAX_WAIT.toMillis());
    socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  static boolean isClosed(Socket socket) throws IOException {
    int read = socket.getInputStream().read();
    while (read >= 0) {
      read = socket.getInputStream().read();
    }
    return true;
  }
}
