package dev.torg.bench.feed;

import dev.torg.bench.process.BenchServer;
import dev.torg.server.route.RpcBinding;
import java.util.List;
import java.util.Map;

/// The server of the benchmark: all of Torg, alerts included, with the plain implementation on the
/// same port.
public final class FeedServer {
  private FeedServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    BenchServer.serve(
        arguments,
        Map.of(),
        (url, outbox) -> List.of(RpcBinding.blocking(new PlainFeed(url, outbox))));
  }
}
