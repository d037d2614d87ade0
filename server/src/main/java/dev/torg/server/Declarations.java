package dev.torg.server;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.torg.api.v1.Caller;
import dev.torg.server.access.Callers;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Who may call each RPC, by full method name. Torg's own services say it in their .proto files; gRPC's health and
/// reflection, whose files are not ours, are open to anyone.
final class Declarations {
  private Declarations() {}

  static Map<String, Callers> of(
      List<ServerServiceDefinition> services, List<ServerServiceDefinition> open) {
    Map<String, Callers> declared = new HashMap<>();
    for (ServerServiceDefinition service : services) {
      service.getMethods().forEach(method -> declared.put(name(method), declaration(method)));
    }
    for (ServerServiceDefinition service : open) {
      service
          .getMethods()
          .forEach(
              method ->
                  declared.put(name(method), Callers.of(name(method), List.of(Caller.ANYONE))));
    }
    return declared;
  }

  private static Callers declaration(ServerMethodDefinition<?, ?> method) {
    MethodDescriptor descriptor = Methods.descriptor(method);
    return descriptor == null ? Callers.of(name(method), List.of()) : Callers.of(descriptor);
  }

  private static String name(ServerMethodDefinition<?, ?> method) {
    return method.getMethodDescriptor().getFullMethodName();
  }
}
