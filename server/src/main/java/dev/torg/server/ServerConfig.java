package dev.torg.server;

import dev.torg.server.access.RateLimits;
import dev.torg.server.quota.Quotas;
import java.time.Duration;
import java.util.List;

/// How the server listens.
///
/// - `port` 0: any free port.
/// - `maxBytes`: the largest response, and the largest message that a method may declare for its requests.
/// - `timeout`: for a JSON or plain request and for a unary gRPC call, whose client may request less.
/// - `drain`: how long a stopping server waits for requests in progress.
/// - `trustedProxies`: CIDR ranges whose `Forwarded` and `X-Forwarded-For` are trusted, for limits by address.
/// - `quotas`: how much callers may hold concurrently.
public record ServerConfig(
    String host,
    int port,
    int maxBytes,
    Duration timeout,
    Duration drain,
    RateLimits limits,
    List<String> trustedProxies,
    Quotas quotas) {
  private static final int EIGHT_MEGABYTES = 8 * 1024 * 1024;

  public ServerConfig {
    trustedProxies = List.copyOf(trustedProxies);
  }

  /// The defaults: reachable from this machine only.
  public static ServerConfig local(int port) {
    return new ServerConfig(
        "127.0.0.1",
        port,
        EIGHT_MEGABYTES,
        Duration.ofSeconds(30),
        Duration.ofSeconds(20),
        RateLimits.defaults(),
        List.of(),
        Quotas.defaults());
  }

  public ServerConfig withHost(String host) {
    return new ServerConfig(host, port, maxBytes, timeout, drain, limits, trustedProxies, quotas);
  }

  public ServerConfig withLimits(RateLimits limits) {
    return new ServerConfig(host, port, maxBytes, timeout, drain, limits, trustedProxies, quotas);
  }

  public ServerConfig withDrain(Duration drain) {
    return new ServerConfig(host, port, maxBytes, timeout, drain, limits, trustedProxies, quotas);
  }

  public ServerConfig withTimeout(Duration timeout) {
    return new ServerConfig(host, port, maxBytes, timeout, drain, limits, trustedProxies, quotas);
  }

  public ServerConfig withTrustedProxies(List<String> trustedProxies) {
    return new ServerConfig(host, port, maxBytes, timeout, drain, limits, trustedProxies, quotas);
  }

  public ServerConfig withQuotas(Quotas quotas) {
    return new ServerConfig(host, port, maxBytes, timeout, drain, limits, trustedProxies, quotas);
  }
}
