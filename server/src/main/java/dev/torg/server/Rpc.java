package dev.torg.server;

import dev.torg.server.access.BlockingCalls;
import io.grpc.BindableService;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;

/// A gRPC service to serve. An asynchronous one is called on the event loop and must never wait; a blocking one is called
/// on virtual threads.
public record Rpc(BindableService service, boolean blocking) {
  public static Rpc async(BindableService service) {
    return new Rpc(service, false);
  }

  public static Rpc blocking(BindableService service) {
    return new Rpc(service, true);
  }

  ServerServiceDefinition bind() {
    ServerServiceDefinition definition = service.bindService();
    return blocking ? ServerInterceptors.intercept(definition, new BlockingCalls()) : definition;
  }
}
