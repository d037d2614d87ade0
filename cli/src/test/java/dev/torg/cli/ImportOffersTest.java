package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.torg.server.run.DataDirectory;
import dev.torg.server.run.RunningInstance;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An import through a server that is busy or dies.
@Timeout(60)
class ImportOffersTest {
  private static final int LINES = 200;

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private HttpServer server;
  private DataDirectory held;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    held = DataDirectory.acquire(directory);
    String address = "http://127.0.0.1:" + server.getAddress().getPort();
    new RunningInstance(ProcessHandle.current().pid(), address, "", "", Instant.EPOCH)
        .write(directory);
  }

  @AfterEach
  void stop() {
    server.stop(0);
    held.close();
  }

  @Test
  void importOffers_serverIsBusy_publishesAll() throws IOException {
    Set<String> requested = ConcurrentHashMap.newKeySet();
    server.createContext(
        "/v1/offers",
        exchange -> {
          boolean first = requested.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
          respond(exchange, first ? 429 : 200);
        });
    assertThat(importLines()).isZero();
    assertThat(out.toString()).contains(LINES + " published, 0 refused");
  }

  @Test
  void importOffers_serverDies_endsWithOneSentence() throws IOException {
    AtomicInteger served = new AtomicInteger();
    server.createContext(
        "/v1/offers",
        exchange -> {
          if (served.incrementAndGet() > 10) {
            exchange.close();
          } else {
            respond(exchange, 200);
          }
        });
    assertThat(importLines()).isEqualTo(1);
    assertThat(out.toString()).contains("10 published, 0 refused");
    assertThat(err.toString()).contains("torg: no response from").doesNotContain("\tat ");
  }

  private int importLines() throws IOException {
    Path file =
        Files.write(
            directory.resolve("offers.ndjson"),
            Collections.nCopies(LINES, "{\"category\":\"electronics\",\"title\":\"A radio\"}"));
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(
            "import", "offers", file.toString(), "--token", "t", "--data", directory.toString());
  }

  private static void respond(HttpExchange exchange, int status) throws IOException {
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
