package dev.torg.bench.abuse;

import java.io.IOException;

/// Requests the metrics and the OpenAPI document, which need no token, thousands of times over HTTP/2 connections that
/// accept no body.
final class UnreadDocuments implements Attack {
  static final int CONNECTIONS = 80;

  /// A short run sees few ordinary calls, all of them while the connections are opened.
  static final int CONNECTIONS_QUICK = 20;

  private static final int CONNECTIONS_PER_ATTACKER = 10;
  private static final int REQUESTS_PER_CONNECTION = 100;

  private final int connections;

  UnreadDocuments(int connections) {
    this.connections = connections;
  }

  @Override
  public String name() {
    return "N3-unread-documents";
  }

  @Override
  public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
    try (OpenConnections open = new OpenConnections(attackers)) {
      open.open(connections, number -> requests(target, number));
      open.hold();
    }
  }

  private static Http2Attacker requests(AbuseTarget target, int number) throws IOException {
    Http2Attacker connection = Http2Attacker.open(target, number / CONNECTIONS_PER_ATTACKER);
    String path = number % 2 == 0 ? "/metrics" : "/openapi.json";
    for (int i = 0; i < REQUESTS_PER_CONNECTION; i++) {
      connection.get(target.host(), path);
    }
    return connection;
  }
}
