package dev.torg.server.run;

import dev.torg.server.ReadinessCheck;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RpcBinding;
import java.util.List;

/// What a room brings into a process: calls to answer, plain HTTP routes, things to be ready, and work
/// beside. A room that has none of one kind says nothing about it.
interface Module extends AutoCloseable {
  /// Served where role api is.
  default List<RpcBinding> rpcs() {
    return List.of();
  }

  /// Served where role api is.
  default List<HttpRoute> routes() {
    return List.of();
  }

  /// Without which this process is not ready.
  default List<ReadinessCheck> checks() {
    return List.of();
  }

  /// Begins the work of the process's roles.
  default void start(BackgroundRuntime background) {}

  /// The server is about to stop: ends what would keep it waiting.
  default void drain() {}

  /// Nobody asks any more, and the work beside has ended.
  @Override
  void close();
}
