package dev.torg.server.run;

import dev.torg.server.ReadinessCheck;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RpcBinding;
import java.util.List;

/// What a module adds to a process: RPCs, plain HTTP routes, readiness checks, and background work. A module
/// without one of these keeps the default.
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
  default void start(BackgroundRuntime runtime) {}

  /// The server is about to stop: ends what would delay it.
  default void drain() {}

  /// Called when no calls arrive any more and the background work has ended.
  @Override
  void close();
}
