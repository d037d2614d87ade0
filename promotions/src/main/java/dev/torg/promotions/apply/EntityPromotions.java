package dev.torg.promotions.apply;

import dev.torg.api.v1.Offer.Status;
import dev.torg.promotions.ServiceTerm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The promotions of one entity within a transaction that has locked its target: decides in memory, one activation after
/// the other, and knows what has changed.
final class EntityPromotions {
  /// The service that moves an entity to the top of lists when it is applied.
  static final String RAISE = "raise";

  private final Map<String, ActiveService> services = new TreeMap<>();
  private final Set<String> written = new HashSet<>();
  private final Set<String> removed = new HashSet<>();
  private PromotionTarget target;

  EntityPromotions(PromotionTarget target, Collection<ActiveService> services) {
    this.target = target;
    services.forEach(service -> this.services.put(service.service(), service));
  }

  /// All services of the activation or none.
  ActivationResult activate(Activation activation, Instant now) {
    target = target.updated(activation.offer());
    Status status = activation.offer().version() == 0 ? Status.REMOVED : target.status();
    if (!EntityState.isPromotable(status)) {
      return refused(status);
    }
    if (activation.services().stream().anyMatch(term -> isBlocked(term, now))) {
      return ActivationResult.ALREADY_ACTIVE;
    }
    activation.services().forEach(term -> activate(term, activation.source(), now));
    return ActivationResult.ACTIVATED;
  }

  private static ActivationResult refused(Status status) {
    return switch (status) {
      case BANNED -> ActivationResult.BANNED;
      case SOLD -> ActivationResult.SOLD;
      case ACTIVE, PENDING, EXPIRED, WITHDRAWN, REMOVED, STATUS_UNSPECIFIED, UNRECOGNIZED ->
          ActivationResult.GONE;
    };
  }

  /// The active services and when they end.
  Map<String, Instant> activeUntil(Instant now) {
    Map<String, Instant> active = new TreeMap<>();
    services.values().stream()
        .filter(service -> service.isActiveAt(now))
        .forEach(service -> active.put(service.service(), service.until()));
    return active;
  }

  private boolean isBlocked(ServiceTerm term, Instant now) {
    return !term.extendable() && isActive(term.service(), now);
  }

  private boolean isActive(String service, Instant now) {
    ActiveService active = services.get(service);
    return active != null && active.isActiveAt(now);
  }

  private void activate(ServiceTerm term, String source, Instant now) {
    ActiveService before = services.get(term.service());
    Instant since = now;
    Instant from = now;
    if (before != null && before.isActiveAt(now)) {
      since = before.since();
      from = before.until();
    }
    put(new ActiveService(term.service(), since, from.plus(term.duration()), source));
    if (term.service().equals(RAISE)) {
      target = target.raised(now);
    }
  }

  /// Takes the duration back that was applied at the given time: what was bought before or after it stays.
  void takeBack(ServiceTerm term, Instant appliedAt, Instant now) {
    ActiveService active = services.get(term.service());
    if (active == null || active.since().isAfter(appliedAt)) {
      return;
    }
    Instant until = active.until().minus(term.duration());
    if (until.isAfter(now)) {
      put(active.until(until));
    } else {
      remove(term.service());
    }
  }

  /// Ends the services whose time has come.
  void expire(Instant now) {
    services().stream()
        .filter(service -> !service.isActiveAt(now))
        .forEach(service -> remove(service.service()));
  }

  void endAll() {
    List.copyOf(services.keySet()).forEach(this::remove);
  }

  /// A status that an event reports: ends everything if promotions do not run in it. An older one, and one that is known,
  /// changes nothing. Returns whether it has to be recorded.
  boolean report(EntityState state) {
    if (state.version() <= target.statusVersion() || state.status() == target.status()) {
      return false;
    }
    target = target.updated(state);
    if (!state.isPromotable()) {
      endAll();
    }
    return true;
  }

  private void put(ActiveService service) {
    services.put(service.service(), service);
    written.add(service.service());
    removed.remove(service.service());
  }

  private void remove(String service) {
    services.remove(service);
    written.remove(service);
    removed.add(service);
  }

  boolean isChanged() {
    return !written.isEmpty() || !removed.isEmpty();
  }

  void numbered(long seq) {
    target = target.withSeq(seq);
  }

  PromotionTarget target() {
    return target;
  }

  @Nullable ActiveService find(String service) {
    return services.get(service);
  }

  List<ActiveService> services() {
    return new ArrayList<>(services.values());
  }

  List<ActiveService> written() {
    return services.values().stream()
        .filter(service -> written.contains(service.service()))
        .toList();
  }

  Set<String> removed() {
    return Set.copyOf(removed);
  }
}
