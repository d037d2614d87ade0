package dev.torg.server;

import dev.torg.server.access.BlockingCalls;
import io.grpc.BindableService;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import java.util.Set;

/// A gRPC service to serve. An asynchronous one is called on the event loop and must never wait; a blocking one is called
/// on virtual threads, but for those of its methods that never wait either.
public record Rpc(BindableService service, boolean blocking, Set<String> neverWaiting) {
  public Rpc {
    neverWaiting = Set.copyOf(neverWaiting);
  }

  public static Rpc async(BindableService service) {
    return new Rpc(service, false, Set.of());
  }

  public static Rpc blocking(BindableService service) {
    return new Rpc(service, true, Set.of());
  }

  /// With the names of methods that answer by a future and may be called on the event loop: the ones that are called
  /// most, since a thread for each call costs.
  public Rpc except(Set<String> methods) {
    return new Rpc(service, blocking, methods);
  }

  ServerServiceDefinition bind() {
    ServerServiceDefinition definition = service.bindService();
    return blocking
        ? ServerInterceptors.intercept(definition, new BlockingCalls(neverWaiting))
        : definition;
  }
}
