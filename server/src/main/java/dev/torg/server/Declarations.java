package dev.torg.server;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.torg.api.v1.Caller;
import dev.torg.server.access.Callers;
import dev.torg.server.access.RpcRules;
import dev.torg.server.bounds.BoundedServices;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthGrpc;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Who may call each RPC, and how large its request may be, by full method name. Torg's own services say it in their .proto files; gRPC's health and
/// reflection, whose files are not ours, are open to anyone, and health to any rate of questions.
final class Declarations {
  private Declarations() {}

  static RpcRules of(
      List<ServerServiceDefinition> services,
      ServerServiceDefinition health,
      ServerServiceDefinition reflection) {
    Map<String, Callers> declared = new HashMap<>();
    services.forEach(
        service ->
            service
                .getMethods()
                .forEach(method -> declared.put(name(method), declaration(method))));
    Set<String> probes = names(health);
    Set<String> endless = names(reflection);
    endless.add(HealthGrpc.getWatchMethod().getFullMethodName());
    Stream.concat(probes.stream(), endless.stream())
        .forEach(name -> declared.put(name, Callers.of(name, List.of(Caller.ANYONE))));
    return new RpcRules(declared, probes, endless, maxBytes(services));
  }

  private static Map<String, Integer> maxBytes(List<ServerServiceDefinition> services) {
    return services.stream()
        .flatMap(service -> service.getMethods().stream())
        .collect(
            Collectors.toMap(
                Declarations::name, method -> BoundedServices.bounds(method).maxBytes()));
  }

  private static Set<String> names(ServerServiceDefinition service) {
    return service.getMethods().stream()
        .map(Declarations::name)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static Callers declaration(ServerMethodDefinition<?, ?> method) {
    MethodDescriptor descriptor = Methods.descriptor(method);
    return descriptor == null ? Callers.of(name(method), List.of()) : Callers.of(descriptor);
  }

  private static String name(ServerMethodDefinition<?, ?> method) {
    return method.getMethodDescriptor().getFullMethodName();
  }
}
