package dev.torg.promotions.apply;

import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.Outbox;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.ServiceTerm;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Changes active services inside the caller's transaction, which is of one shard: locks the targets in key order, decides
/// in memory, and writes the difference with one event per entity.
public final class PromotionWriter {
  private final Outbox outbox;
  private final EventSequence sequence;
  private final InstantSource clock;
  private final PromotionStore store = new PromotionStore();

  public PromotionWriter(Outbox outbox, InstantSource clock) {
    this.outbox = outbox;
    this.sequence = new EventSequence(clock);
    this.clock = clock;
  }

  /// A service of a payment that was applied, to be taken back.
  ///
  /// @param appliedAt when the payment was applied
  public record AppliedTerm(PromotedEntity entity, ServiceTerm term, Instant appliedAt) {}

  /// Makes the entity known, before anything about it is paid: from now on each change of its status is recorded. If
  /// it is known, its row is only kept for longer.
  public void watch(Tx tx, PromotedEntity entity, EntityState offer) throws SQLException {
    store.insertTargets(tx, List.of(PromotionTarget.of(entity, offer)), clock.instant());
  }

  /// As the former, for many entities, of one shard.
  public void watch(Tx tx, Map<PromotedEntity, EntityState> offers) throws SQLException {
    List<PromotionTarget> targets = new ArrayList<>();
    offers.forEach((entity, offer) -> targets.add(PromotionTarget.of(entity, offer)));
    store.insertTargets(tx, targets, clock.instant());
  }

  /// What the transaction has locked of an entity.
  ///
  /// @param status of the offer: the newer of what was read and what was reported
  /// @param activeUntil the active services and when they end
  public record LockedPromotions(Status status, Map<String, Instant> activeUntil) {
    public LockedPromotions {
      activeUntil = Map.copyOf(activeUntil);
    }
  }

  /// Locks those of the entities that are watched: until the end of the transaction what is returned does not change, except
  /// by [#activate].
  ///
  /// @param offers the entities' states, read before the transaction
  public Map<PromotedEntity, LockedPromotions> lock(
      Tx tx, Map<PromotedEntity, EntityState> offers, Instant now) throws SQLException {
    Map<PromotedEntity, LockedPromotions> locked = new HashMap<>();
    store
        .lock(tx, offers.keySet())
        .forEach(
            (entity, promotions) -> {
              EntityState read = offers.getOrDefault(entity, EntityState.GONE);
              locked.put(
                  entity,
                  new LockedPromotions(
                      promotions.target().updated(read).status(), promotions.activeUntil(now)));
            });
    return locked;
  }

  /// Decides the activations in their order and activates those that are possible. Returns one result per activation.
  public List<ActivationResult> activate(Tx tx, List<Activation> activations, Instant now)
      throws SQLException {
    Map<PromotedEntity, EntityPromotions> locked = lockOrInsert(tx, activations, now);
    List<ActivationResult> results = new ArrayList<>();
    for (Activation activation : activations) {
      EntityPromotions promotions = locked.get(activation.entity());
      results.add(
          promotions == null ? ActivationResult.GONE : promotions.activate(activation, now));
    }
    write(tx, locked.values(), now);
    return results;
  }

  /// Rows exist already unless an offer is promoted for the first time, or for the first time after a purge. One that does
  /// not exist gets none.
  private Map<PromotedEntity, EntityPromotions> lockOrInsert(
      Tx tx, List<Activation> activations, Instant now) throws SQLException {
    Map<PromotedEntity, PromotionTarget> targets = new LinkedHashMap<>();
    for (Activation activation : activations) {
      if (!activation.offer().seller().isEmpty()) {
        targets.put(
            activation.entity(), PromotionTarget.of(activation.entity(), activation.offer()));
      }
    }
    store.insertTargets(tx, targets.values(), now);
    return store.lock(tx, activations.stream().map(Activation::entity).toList());
  }

  /// Takes back what payments have applied. What has expired meanwhile is not affected.
  public void takeBack(Tx tx, List<AppliedTerm> terms, Instant now) throws SQLException {
    Map<PromotedEntity, EntityPromotions> locked =
        store.lock(tx, terms.stream().map(AppliedTerm::entity).toList());
    for (AppliedTerm applied : terms) {
      EntityPromotions promotions = locked.get(applied.entity());
      if (promotions != null) {
        promotions.takeBack(applied.term(), applied.appliedAt(), now);
      }
    }
    write(tx, locked.values(), now);
  }

  /// Records the statuses of those of the offers that are known, and ends the services of those that are banned, sold or
  /// gone. A status that is older than the recorded one has no effect.
  void report(Tx tx, Map<PromotedEntity, EntityState> states, Instant now) throws SQLException {
    Map<PromotedEntity, EntityPromotions> locked = store.lock(tx, states.keySet());
    List<PromotionTarget> recorded = new ArrayList<>();
    locked.forEach(
        (entity, promotions) -> {
          EntityState state = states.get(entity);
          if (state != null && promotions.report(state) && !promotions.isChanged()) {
            recorded.add(promotions.target());
          }
        });
    store.updateTargets(tx, recorded, now);
    write(tx, locked.values(), now);
  }

  /// Ends the services of these entities whose time has come. Returns what was ended, in key order.
  List<EndedServices> expire(Tx tx, List<PromotionStore.Expiry> due, Instant now)
      throws SQLException {
    Map<PromotedEntity, EntityPromotions> locked =
        store.lock(tx, due.stream().map(PromotionStore.Expiry::entity).toList());
    locked.values().forEach(promotions -> promotions.expire(now));
    write(tx, locked.values(), now);
    store.deleteExpiries(tx, due);
    return locked.values().stream()
        .filter(EntityPromotions::isChanged)
        .map(EndedServices::of)
        .sorted(Comparator.comparing(EndedServices::entity))
        .toList();
  }

  private void write(Tx tx, Collection<EntityPromotions> locked, Instant now) throws SQLException {
    List<EntityPromotions> changed = locked.stream().filter(EntityPromotions::isChanged).toList();
    if (changed.isEmpty()) {
      return;
    }
    changed.forEach(promotions -> promotions.numbered(sequence.after(promotions.target().seq())));
    store.updateTargets(tx, changed.stream().map(EntityPromotions::target).toList(), now);
    store.write(tx, changed);
    outbox.append(
        tx, changed.stream().map(promotions -> PromotionEvents.of(promotions, now)).toList());
  }
}
