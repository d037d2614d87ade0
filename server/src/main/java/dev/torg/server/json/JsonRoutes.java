package dev.torg.server.json;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.torg.server.route.Methods;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All `google.api.http` rules of the served RPCs, and their routes.
public final class JsonRoutes {
  private final JsonResponses responses;
  private final List<HttpRuleBinding> methods = new ArrayList<>();
  private final Map<String, JsonRoute> routes = new LinkedHashMap<>();

  public JsonRoutes(JsonResponses responses, Collection<ServerServiceDefinition> services) {
    this.responses = responses;
    services.forEach(service -> service.getMethods().forEach(this::add));
    methods.forEach(this::route);
  }

  public List<HttpRuleBinding> methods() {
    return methods;
  }

  public Collection<JsonRoute> routes() {
    return routes.values();
  }

  private void add(ServerMethodDefinition<?, ?> method) {
    MethodDescriptor descriptor = Methods.descriptor(method);
    if (descriptor == null || !descriptor.getOptions().hasExtension(AnnotationsProto.http)) {
      return;
    }
    HttpRule rule = descriptor.getOptions().getExtension(AnnotationsProto.http);
    methods.add(new HttpRuleBinding(method, descriptor, rule, 0, responses));
    for (int i = 0; i < rule.getAdditionalBindingsCount(); i++) {
      methods.add(
          new HttpRuleBinding(method, descriptor, rule.getAdditionalBindings(i), i + 1, responses));
    }
  }

  private void route(HttpRuleBinding rule) {
    String path = rule.path().route();
    routes
        .computeIfAbsent(
            rule.httpMethod() + " " + path, _ -> new JsonRoute(rule.httpMethod(), path))
        .add(rule);
  }
}
