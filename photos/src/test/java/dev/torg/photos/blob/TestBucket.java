package dev.torg.photos.blob;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A local bucket that implements the required part of S3 and accepts signed requests only.
final class TestBucket implements AutoCloseable {
  private static final Pattern SIGNED =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=key/\\d{8}/eu-1/s3/aws4_request, SignedHeaders=[^,]*host[^,]*, Signature=[0-9a-f]{64}");

  private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private volatile boolean unavailable;

  TestBucket() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::respond);
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  Map<String, byte[]> objects() {
    return new TreeMap<>(objects);
  }

  void unavailable(boolean isUnavailable) {
    unavailable = isUnavailable;
  }

  private void respond(HttpExchange call) throws IOException {
    try (call) {
      String authorization = String.valueOf(call.getRequestHeaders().getFirst("Authorization"));
      String path = call.getRequestURI().getPath();
      byte[] body = call.getRequestBody().readAllBytes();
      if (unavailable) {
        send(call, 503, "<Error><Code>SlowDown</Code></Error>");
      } else if (!SIGNED.matcher(authorization).matches() || !path.startsWith("/bucket")) {
        send(call, 403, "<Error><Code>AccessDenied</Code></Error>");
      } else {
        serve(call, path.replaceFirst("/bucket/?", ""), body);
      }
    }
  }

  private void serve(HttpExchange call, String key, byte[] body) throws IOException {
    byte[] bytes = objects.get(key);
    switch (call.getRequestMethod()) {
      case "PUT" -> {
        objects.put(key, body);
        send(call, 200, "");
      }
      case "DELETE" -> {
        objects.remove(key);
        send(call, 204, "");
      }
      case "HEAD" -> call.sendResponseHeaders(bytes == null ? 404 : 200, -1);
      default -> {
        if (key.isEmpty()) {
          send(call, 200, list(call.getRequestURI().getQuery()));
        } else if (bytes == null) {
          send(call, 404, "<Error><Code>NoSuchKey</Code></Error>");
        } else {
          call.sendResponseHeaders(200, bytes.length);
          call.getResponseBody().write(bytes);
        }
      }
    }
  }

  private String list(String query) {
    String prefix = query.replaceFirst(".*prefix=([^&]*).*", "$1");
    return objects.keySet().stream()
        .filter(key -> key.startsWith(prefix))
        .map(
            key ->
                "<Contents><Key>%s</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"
                    .formatted(key))
        .collect(
            Collectors.joining(
                "", "<ListBucketResult><IsTruncated>false</IsTruncated>", "</ListBucketResult>"));
  }

  private static void send(HttpExchange call, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    call.getResponseHeaders().set("Content-Type", "application/xml");
    call.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    call.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
