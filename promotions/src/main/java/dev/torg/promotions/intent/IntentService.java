package dev.torg.promotions.intent;

import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Stores, returns and removes intents, and makes them due. Buys nothing itself. Blocks.
public final class IntentService {
  private static final int MAX_EXTERNAL_ID = 200;

  private final Database database;
  private final Set<String> knownServices;
  private final InstantSource clock;
  private final IntentStore store = new IntentStore();

  /// @param knownServices that an intent may name
  public IntentService(Database database, Set<String> knownServices, InstantSource clock) {
    this.database = database;
    this.knownServices = Set.copyOf(knownServices);
    this.clock = clock;
  }

  /// Stores an intent of the API. It replaces a former one of the same external id.
  public Intent put(IntentKey key, List<String> services) {
    requireExternalId(key);
    List<String> distinct = requireServices(services);
    Instant now = clock.instant();
    return database.inTransaction(
        tx -> {
          LockedIntents locked = LockedIntents.lock(tx, store, List.of(key));
          long after = locked.find(key).map(Intent::arrived).orElse(0L);
          long at = Math.max(EpochMicros.of(now), after + 1);
          arrive(locked, new IntentArrival(key, distinct, at), now);
          locked.write(tx, Set.of());
          return locked.find(key).orElseThrow();
        });
  }

  /// Fails with NOT_FOUND if there is none.
  public Intent get(IntentKey key) {
    requireExternalId(key);
    return database
        .read(tx -> find(tx, key))
        .filter(intent -> !intent.isRemoved())
        .orElseThrow(IntentService::notFound);
  }

  /// Services that it has bought stay active. Fails with NOT_FOUND if there is none.
  public void remove(IntentKey key) {
    requireExternalId(key);
    Instant now = clock.instant();
    database.transact(
        tx -> {
          LockedIntents locked = LockedIntents.lock(tx, store, List.of(key));
          Intent intent =
              locked
                  .find(key)
                  .filter(found -> !found.isRemoved())
                  .orElseThrow(IntentService::notFound);
          locked.put(intent.removed(EpochMicros.of(now)));
          locked.write(tx, Set.of());
        });
  }

  /// Stores or removes intents of feeds, one transaction per shard. Arrivals that are not later than the last one that was applied
  /// change nothing, so they may be delivered again.
  public void arrive(Collection<IntentArrival> arrivals) {
    Map<IntentKey, IntentArrival> latest = new LinkedHashMap<>();
    arrivals.forEach(
        arrival ->
            latest.merge(
                arrival.key(), arrival, (one, other) -> other.at() > one.at() ? other : one));
    Instant now = clock.instant();
    EachShard.run(
        database.shards().split(latest.values(), arrival -> arrival.key().home()),
        ofShard ->
            database.transact(
                tx -> {
                  LockedIntents locked =
                      LockedIntents.lock(
                          tx, store, ofShard.stream().map(IntentArrival::key).toList());
                  ofShard.forEach(arrival -> arrive(locked, arrival, now));
                  locked.write(tx, Set.of());
                }));
  }

  /// Makes the intents due that wait for offers with these external ids, or are being examined and may have missed them.
  public void offersAppeared(Collection<IntentKey> keys) {
    Instant now = clock.instant();
    EachShard.run(
        database.shards().split(keys, IntentKey::home),
        ofShard -> {
          List<IntentKey> waiting = database.read(tx -> waitingForOffer(tx, ofShard));
          if (!waiting.isEmpty()) {
            database.transact(tx -> wake(tx, waiting, now));
          }
        });
  }

  private List<IntentKey> waitingForOffer(Tx tx, List<IntentKey> keys) throws SQLException {
    return store.find(tx, keys).values().stream()
        .filter(IntentService::mayMissAnOffer)
        .map(Intent::key)
        .toList();
  }

  private void wake(Tx tx, List<IntentKey> keys, Instant now) throws SQLException {
    LockedIntents locked = LockedIntents.lock(tx, store, keys);
    keys.forEach(
        key ->
            locked
                .find(key)
                .filter(IntentService::mayMissAnOffer)
                .ifPresent(intent -> locked.put(intent.woken(now))));
    locked.write(tx, Set.of());
  }

  private static boolean mayMissAnOffer(Intent intent) {
    return intent.state() == IntentState.WAITING_FOR_OFFER || intent.runAt().isPresent();
  }

  private static void arrive(LockedIntents locked, IntentArrival arrival, Instant now) {
    Optional<Intent> former = locked.find(arrival.key());
    boolean wantsNone = arrival.services().isEmpty();
    if (former.isEmpty()) {
      if (!wantsNone) {
        locked.put(Intent.of(arrival, now));
      }
    } else if (arrival.at() > former.get().arrived()) {
      locked.put(
          wantsNone ? former.get().removed(arrival.at()) : former.get().repeated(arrival, now));
    }
  }

  private Optional<Intent> find(Tx tx, IntentKey key) throws SQLException {
    return Optional.ofNullable(store.find(tx, List.of(key)).get(key));
  }

  private static void requireExternalId(IntentKey key) {
    String id = key.externalId();
    if (id.isBlank()
        || id.length() > MAX_EXTERNAL_ID
        || id.chars().anyMatch(Character::isISOControl)) {
      throw Failure.invalid(
          "promotion-intent.external-id",
          "bad external id",
          "externalId",
          "must be a line of 1 to " + MAX_EXTERNAL_ID + " characters");
    }
  }

  private List<String> requireServices(List<String> services) {
    List<String> distinct = services.stream().distinct().toList();
    if (distinct.isEmpty()) {
      throw Failure.invalid(
          "promotion-intent.services", "no services", "services", "must name at least one");
    }
    for (int i = 0; i < services.size(); i++) {
      if (!knownServices.contains(services.get(i))) {
        throw Failure.invalid(
            "promotion.service-unknown",
            "no such service",
            "services[" + i + "]",
            "must be one of " + String.join(", ", knownServices.stream().sorted().toList()));
      }
    }
    return distinct;
  }

  private static Failure notFound() {
    return Failure.notFound("promotion-intent.not-found", "there is no such intent");
  }
}
