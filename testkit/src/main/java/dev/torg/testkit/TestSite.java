package dev.torg.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A web site on this machine whose pages the test defines.
public final class TestSite implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Page> pages = new ConcurrentHashMap<>();
  private final List<String> requested = new CopyOnWriteArrayList<>();

  /// Responds to requests for an address.
  @FunctionalInterface
  public interface Page {
    void respond(HttpExchange call) throws IOException;
  }

  public TestSite() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::respond);
    server.start();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /// The address of a page on this site, by the given host name.
  public String at(String host, String path) {
    return "http://" + host + ":" + port() + path;
  }

  public String at(String path) {
    return at("127.0.0.1", path);
  }

  /// Serves the bytes and returns their address.
  public String put(String path, byte[] bytes) {
    return put(path, call -> send(call, 200, bytes));
  }

  public String put(String path, int status) {
    return put(path, call -> send(call, status, new byte[0]));
  }

  public String put(String path, Page page) {
    pages.put(path, page);
    return at(path);
  }

  public String redirect(String path, String to) {
    return put(
        path,
        call -> {
          call.getResponseHeaders().set("Location", to);
          send(call, 302, new byte[0]);
        });
  }

  /// The requested paths, with the host of each request.
  public List<String> requested() {
    return List.copyOf(requested);
  }

  public static void send(HttpExchange call, int status, byte[] bytes) throws IOException {
    call.getResponseHeaders().set("Content-Type", "text/html");
    call.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    call.getResponseBody().write(bytes);
  }

  private void respond(HttpExchange call) throws IOException {
    String path = call.getRequestURI().getPath();
    requested.add(call.getRequestHeaders().getFirst("Host") + path);
    try (call) {
      pages.getOrDefault(path, missing -> send(missing, 404, new byte[0])).respond(call);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
