package dev.torg.server.route;

import io.grpc.BindableService;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import java.util.Set;

/// A gRPC service to serve. An asynchronous one is called on the event loop and must never block; a
/// blocking one is called on virtual threads, except for methods that never block.
public record RpcBinding(BindableService service, boolean blocking, Set<String> neverWaiting) {
  public RpcBinding {
    neverWaiting = Set.copyOf(neverWaiting);
  }

  public static RpcBinding async(BindableService service) {
    return new RpcBinding(service, false, Set.of());
  }

  public static RpcBinding blocking(BindableService service) {
    return new RpcBinding(service, true, Set.of());
  }

  /// Names the methods that respond by a future and may be called on the event loop: the most frequent ones,
  /// since a thread for each call has a cost.
  public RpcBinding except(Set<String> methods) {
    return new RpcBinding(service, blocking, methods);
  }

  public ServerServiceDefinition bind() {
    ServerServiceDefinition definition = service.bindService();
    return blocking
        ? ServerInterceptors.intercept(definition, new VirtualThreadInterceptor(neverWaiting))
        : definition;
  }
}
