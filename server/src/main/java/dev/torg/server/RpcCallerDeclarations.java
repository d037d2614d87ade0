package dev.torg.server;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.torg.api.v1.CallerKind;
import dev.torg.server.access.CallerPolicy;
import dev.torg.server.access.RpcAccessRules;
import dev.torg.server.bounds.BoundedServices;
import dev.torg.server.route.Methods;
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

/// The declared callers of each RPC, and its maximum request size, by full method name. Torg's own services
/// declare them in their .proto files; gRPC's health and reflection, whose files are not ours, are open to
/// every caller, and health has no rate limit.
final class RpcCallerDeclarations {
  private RpcCallerDeclarations() {}

  static RpcAccessRules of(
      List<ServerServiceDefinition> services,
      ServerServiceDefinition health,
      ServerServiceDefinition reflection) {
    Map<String, CallerPolicy> declared = new HashMap<>();
    services.forEach(
        service ->
            service
                .getMethods()
                .forEach(method -> declared.put(name(method), declaration(method))));
    Set<String> probes = names(health);
    Set<String> endless = names(reflection);
    endless.add(HealthGrpc.getWatchMethod().getFullMethodName());
    Stream.concat(probes.stream(), endless.stream())
        .forEach(name -> declared.put(name, CallerPolicy.of(name, List.of(CallerKind.ANYONE))));
    return new RpcAccessRules(declared, probes, endless, maxBytes(services));
  }

  private static Map<String, Integer> maxBytes(List<ServerServiceDefinition> services) {
    return services.stream()
        .flatMap(service -> service.getMethods().stream())
        .collect(
            Collectors.toMap(
                RpcCallerDeclarations::name, method -> BoundedServices.bounds(method).maxBytes()));
  }

  private static Set<String> names(ServerServiceDefinition service) {
    return service.getMethods().stream()
        .map(RpcCallerDeclarations::name)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static CallerPolicy declaration(ServerMethodDefinition<?, ?> method) {
    MethodDescriptor descriptor = Methods.descriptor(method);
    return descriptor == null
        ? CallerPolicy.of(name(method), List.of())
        : CallerPolicy.of(descriptor);
  }

  private static String name(ServerMethodDefinition<?, ?> method) {
    return method.getMethodDescriptor().getFullMethodName();
  }
}
