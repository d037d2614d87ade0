package dev.torg.server.bounds;

import com.google.protobuf.Descriptors;
import dev.torg.server.route.Methods;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import java.util.ArrayList;
import java.util.List;

/// Puts the check of bounds before the requests of a gRPC service.
public final class BoundedServices {
  private BoundedServices() {}

  /// The bounds of a served method. Refuses one that is not described by a .proto file, or not bounded there.
  public static RequestBounds bounds(ServerMethodDefinition<?, ?> method) {
    Descriptors.MethodDescriptor descriptor = Methods.descriptor(method);
    if (descriptor == null) {
      throw new IllegalStateException(
          method.getMethodDescriptor().getFullMethodName() + " declares no bounds");
    }
    return RequestBounds.of(descriptor);
  }

  /// The same service, whose requests are checked before they are parsed.
  public static ServerServiceDefinition checked(ServerServiceDefinition service) {
    ServiceDescriptor described = service.getServiceDescriptor();
    List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
    service.getMethods().forEach(method -> methods.add(checked(method)));
    ServiceDescriptor.Builder descriptor =
        ServiceDescriptor.newBuilder(described.getName())
            .setSchemaDescriptor(described.getSchemaDescriptor());
    methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
    ServerServiceDefinition.Builder checked = ServerServiceDefinition.builder(descriptor.build());
    methods.forEach(checked::addMethod);
    return checked.build();
  }

  private static <Q, A> ServerMethodDefinition<Q, A> checked(ServerMethodDefinition<Q, A> method) {
    MethodDescriptor<Q, A> described = method.getMethodDescriptor();
    var requests = new BoundedMarshaller<>(described.getRequestMarshaller(), bounds(method));
    return ServerMethodDefinition.create(
        described.toBuilder(requests, described.getResponseMarshaller()).build(),
        method.getServerCallHandler());
  }
}
