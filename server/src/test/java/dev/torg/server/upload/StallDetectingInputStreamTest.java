package dev.torg.server.upload;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class StallDetectingInputStreamTest {
  private static final Duration STALL_TIMEOUT = Duration.ofMillis(400);

  private final CompletableFuture<String> read = new CompletableFuture<>();
  private final Server server =
      Server.builder().http(0).requestTimeoutMillis(0).service("/", this::serve).build();

  @AfterEach
  void close() {
    server.stop().join();
  }

  @Test
  void read_ofASenderThatStalls_fails() throws Exception {
    server.start().join();
    try (Socket sender = sender("abc")) {
      assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo("failed");
      assertThat(sender.isConnected()).isTrue();
    }
  }

  /// Each byte arrives in time, but ten of them would take five times the timeout.
  @Test
  void read_ofASenderThatDrips_fails() throws Exception {
    server.start().join();
    try (Socket sender = sender("")) {
      for (int i = 0; i < 10 && !read.isDone(); i++) {
        Thread.sleep(STALL_TIMEOUT.dividedBy(2));
        sender.getOutputStream().write('a');
        sender.getOutputStream().flush();
      }
      assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo("failed");
    }
  }

  @Test
  void read_ofAWholeBody_isTheBody() throws Exception {
    server.start().join();
    try (Socket sender = sender("abcdefghij")) {
      assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo("abcdefghij");
      assertThat(sender.isConnected()).isTrue();
    }
  }

  /// Announces ten bytes and sends only these.
  private Socket sender(String body) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.activeLocalPort());
    String request = "POST / HTTP/1.1\r\nHost: torg\r\nContent-Length: 10\r\n\r\n" + body;
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
    return socket;
  }

  private HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    InputStream body = StallDetectingInputStream.of(ctx, request, STALL_TIMEOUT);
    ctx.blockingTaskExecutor().execute(() -> read.complete(all(body)));
    return HttpResponse.of(read.thenApply(_ -> HttpResponse.of(200)));
  }

  private static String all(InputStream body) {
    try (body) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "failed";
    }
  }
}
