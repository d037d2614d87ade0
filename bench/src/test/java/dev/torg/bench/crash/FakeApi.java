package dev.torg.bench.crash;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.torg.bench.process.ApiClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A server that accepts every login and responds to each offer request with one status and body.
final class FakeApi implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  FakeApi(int status, String body) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/v1/login", exchange -> respond(exchange, 200, "{\"token\":\"t\"}"));
    server.createContext("/v1/offers", exchange -> respond(exchange, status, body));
    server.start();
  }

  ApiClient client() {
    return new ApiClient("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private static void respond(HttpExchange exchange, int status, String body) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
