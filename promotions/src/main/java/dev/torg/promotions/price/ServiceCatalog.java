package dev.torg.promotions.price;

import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;

/// The services that can be bought. Immutable while the process runs.
public final class ServiceCatalog {
  /// Far more than anyone can choose from.
  public static final int MAX_SERVICES = 20;

  private final Map<String, ServiceDefinition> services;

  ServiceCatalog(Map<String, ServiceDefinition> services) {
    this.services = new LinkedHashMap<>(services);
  }

  public Set<String> names() {
    return services.keySet();
  }

  public Optional<ServiceDefinition> find(String name) {
    return Optional.ofNullable(services.get(name));
  }

  /// The services of a purchase, in the order requested. Refuses unknown services, repetitions, and a bundle together
  /// with one of its parts, which would be paid twice.
  public List<ServiceDefinition> require(Collection<String> requested) {
    if (requested.isEmpty()) {
      throw Failure.invalid(
          "promotion.service-missing", "name at least one service", "service", "must not be empty");
    }
    List<Violation> unknown =
        requested.stream()
            .filter(name -> !services.containsKey(name))
            .map(name -> new Violation("service", "is not one of " + String.join(", ", names())))
            .distinct()
            .toList();
    if (!unknown.isEmpty()) {
      throw Failure.invalid("promotion.service-unknown", "there is no such service", unknown);
    }
    List<ServiceDefinition> definitions =
        requested.stream().map(name -> find(name).orElseThrow()).toList();
    requireDisjoint(definitions);
    return definitions;
  }

  /// What becomes active with a service: the service itself first, followed by the parts of a bundle.
  public SequencedSet<String> activatedBy(ServiceDefinition service) {
    SequencedSet<String> names = new LinkedHashSet<>();
    names.add(service.name());
    names.addAll(service.parts());
    return names;
  }

  /// The services as they were bought, by name: of a bundle and its parts only the bundle.
  public List<String> withoutParts(Collection<String> names) {
    Set<String> parts = new HashSet<>();
    names.forEach(name -> find(name).ifPresent(service -> parts.addAll(service.parts())));
    return names.stream().filter(name -> !parts.contains(name)).sorted().toList();
  }

  private void requireDisjoint(List<ServiceDefinition> definitions) {
    List<String> activated = new ArrayList<>();
    definitions.forEach(service -> activated.addAll(activatedBy(service)));
    if (Set.copyOf(activated).size() < activated.size()) {
      throw Failure.invalid(
          "promotion.services-overlap",
          "a service is named twice, or together with a bundle that contains it",
          "service",
          "must be disjoint");
    }
  }
}
