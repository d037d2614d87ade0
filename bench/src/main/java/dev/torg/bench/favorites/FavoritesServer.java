package dev.torg.bench.favorites;

import dev.torg.bench.process.BenchServer;
import dev.torg.server.route.RpcBinding;
import java.util.List;
import java.util.Map;

/// The server of the benchmark: all of Torg, with the plain service on the same port.
public final class FavoritesServer {
  private FavoritesServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    BenchServer.serve(
        arguments,
        Map.of(),
        (url, outbox) -> List.of(RpcBinding.blocking(new PlainFavorites(url, outbox))));
  }
}
