package dev.torg.bench.abuse;

import dev.torg.bench.process.ApiClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The attacked server as an attacker sees it: connections from loopback addresses that ordinary callers do not use.
final class AbuseTarget implements AutoCloseable {
  private static final int FIRST_ATTACKER = 2;
  private static final int LAST_ATTACKER = 250;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);

  private final URI address;
  private final HttpClient http;
  private final ApiClient api;
  private final AtomicInteger identities = new AtomicInteger();

  AbuseTarget(String address) {
    this.address = URI.create(address);
    http =
        HttpClient.newBuilder()
            .localAddress(attacker(0))
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    api = new ApiClient(address);
  }

  /// A loopback address for an attacker with this number.
  static InetAddress attacker(int number) {
    byte last = (byte) (FIRST_ATTACKER + number % (LAST_ATTACKER - FIRST_ATTACKER));
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, last});
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  InetSocketAddress socketAddress() {
    return new InetSocketAddress(address.getHost(), address.getPort());
  }

  String host() {
    return address.getHost() + ":" + address.getPort();
  }

  /// An open connection from the attacker with this number.
  Socket connect(int attacker) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(attacker(attacker), 0));
    socket.connect(socketAddress(), (int) CONNECT_TIMEOUT.toMillis());
    socket.setSoTimeout((int) CALL_TIMEOUT.toMillis());
    return socket;
  }

  /// A client as ordinary callers use it, to prepare attacks.
  ApiClient api() {
    return api;
  }

  String anonymousToken() {
    return api.post("/v1/anonymous", ApiClient.JSON.createObjectNode()).path("token").asText();
  }

  /// The token of a user who only attacks.
  String userToken() {
    return api.token("abuse-" + identities.incrementAndGet());
  }

  /// Sends a JSON request and discards the response. Returns the HTTP status.
  String send(String method, String path, @Nullable String token, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address.resolve(path))
            .timeout(CALL_TIMEOUT)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofByteArray(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return "" + http.send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  String post(String path, @Nullable String token, byte[] body)
      throws IOException, InterruptedException {
    return send("POST", path, token, body);
  }

  String post(String path, @Nullable String token, String body)
      throws IOException, InterruptedException {
    return post(path, token, body.getBytes(StandardCharsets.UTF_8));
  }

  String get(String path, String token) throws IOException, InterruptedException {
    return send("GET", path, token, new byte[0]);
  }

  @Override
  public void close() {
    http.shutdownNow();
    api.close();
  }
}
