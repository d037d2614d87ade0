package dev.torg.server;

import dev.torg.server.access.Limits;
import java.time.Duration;
import java.util.List;

/// How the server listens.
///
/// - `port` 0: any free one.
/// - `maxBytes`: the largest answer, and the largest message that a method may declare for its requests.
/// - `timeout`: for a JSON or plain request; gRPC clients bring their own deadline.
/// - `drain`: how long a stopping server waits for requests in progress.
/// - `trustedProxies`: CIDR ranges whose `Forwarded` and `X-Forwarded-For` are believed, for limits by address.
public record ServerConfig(
    String host,
    int port,
    int maxBytes,
    Duration timeout,
    Duration drain,
    Limits limits,
    List<String> trustedProxies) {
  private static final int EIGHT_MEGABYTES = 8 * 1024 * 1024;

  public ServerConfig {
    trustedProxies = List.copyOf(trustedProxies);
  }

  /// Everything by default: reachable from this machine only.
  public static ServerConfig local(int port) {
    return new ServerConfig(
        "127.0.0.1",
        port,
        EIGHT_MEGABYTES,
        Duration.ofSeconds(30),
        Duration.ofSeconds(20),
        Limits.DEFAULT,
        List.of());
  }

  public ServerConfig withHost(String host) {
    return new ServerConfig(host, port, maxBytes, timeout, drain, limits, trustedProxies);
  }

  public ServerConfig withLimits(Limits limits) {
    return new ServerConfig(host, port, maxBytes, timeout, drain, limits, trustedProxies);
  }

  public ServerConfig withDrain(Duration drain) {
    return new ServerConfig(host, port, maxBytes, timeout, drain, limits, trustedProxies);
  }

  public ServerConfig withTimeout(Duration timeout) {
    return new ServerConfig(host, port, maxBytes, timeout, drain, limits, trustedProxies);
  }

  public ServerConfig withTrustedProxies(List<String> trustedProxies) {
    return new ServerConfig(host, port, maxBytes, timeout, drain, limits, trustedProxies);
  }
}
