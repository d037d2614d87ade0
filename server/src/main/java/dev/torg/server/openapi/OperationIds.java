package dev.torg.server.openapi;

import com.google.protobuf.Descriptors.MethodDescriptor;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The names of operations, which become the method names of generated clients: an RPC's name in lower camel case. Where
/// services share an RPC name, each adds its noun: `Get` of `FeedService` is `getFeed`. Further HTTP rules of an RPC are
/// numbered from 2.
final class OperationIds {
  private static final String SERVICE = "Service";

  private final Set<String> shared = new HashSet<>();
  private final Set<String> used = new HashSet<>();

  OperationIds(List<MethodDescriptor> methods) {
    Set<String> names = new HashSet<>();
    methods.stream()
        .distinct()
        .filter(method -> !names.add(method.getName()))
        .forEach(method -> shared.add(method.getName()));
  }

  /// @param number of the HTTP rule, from 0
  String of(MethodDescriptor method, int number) {
    String name = name(method);
    return unique(number == 0 ? name : name + (number + 1));
  }

  String unique(String operationId) {
    if (!used.add(operationId)) {
      throw new IllegalStateException("two operations are called " + operationId);
    }
    return operationId;
  }

  private String name(MethodDescriptor method) {
    String name = method.getName();
    String first = name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    return shared.contains(name) ? first + noun(method) : first;
  }

  /// `FeedService` is `Feed`.
  private static String noun(MethodDescriptor method) {
    String name = method.getService().getName();
    return name.endsWith(SERVICE) ? name.substring(0, name.length() - SERVICE.length()) : name;
  }
}
