package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.PricePoint;
import dev.torg.offers.ActivatedPage;
import dev.torg.offers.ActivationCursor;
import dev.torg.offers.ActiveOfferFilter;
import dev.torg.offers.ActiveOfferPage;
import dev.torg.offers.ExpiringPage;
import dev.torg.offers.ExpiryCursor;
import dev.torg.offers.ExternalId;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.coalesce.ReadCoalescer;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Tx;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// Reads offers by id, archived ones included. Concurrent reads share a statement. A read sees
/// everything that was committed before it was submitted: every read queries the database, which omits
/// bodies that have not changed since this process read them last. Visibility is not checked here.
public final class OfferReader implements AutoCloseable {
  /// How often a read follows an offer that is archived or restored between its two statements. An offer
  /// moves at most once in weeks.
  private static final int MAX_MOVES = 3;

  private final OfferStore offers = new OfferStore();
  private final ActivatedStore activated = new ActivatedStore();
  private final ExpiringStore expiring = new ExpiringStore();
  private final ActiveOfferStore active = new ActiveOfferStore();
  private final ArchiveStore archive = new ArchiveStore();
  private final ExternalIdStore externalIds = new ExternalIdStore();
  private final PriceStore prices = new PriceStore();
  private final OfferCache recent = new OfferCache();
  private final Database database;
  private final ReadCoalescer<OfferId, Offer> coalescer;

  public OfferReader(Database database, CoalescerSettings settings, MeterRegistry registry) {
    this.database = database;
    this.coalescer = new ReadCoalescer<>(settings, database, OfferId::home, this::load, registry);
  }

  /// The future completes on a reader's thread, so dependent stages must not block.
  public CompletableFuture<Optional<Offer>> get(OfferId id) {
    return coalescer.get(id);
  }

  /// The offers that exist, in the order of the ids.
  public CompletableFuture<Map<OfferId, Offer>> get(Collection<OfferId> ids) {
    Map<OfferId, CompletableFuture<Optional<Offer>>> futures = new LinkedHashMap<>();
    ids.forEach(id -> futures.computeIfAbsent(id, coalescer::get));
    return CompletableFuture.allOf(futures.values().toArray(CompletableFuture[]::new))
        .thenApply(_ -> existing(futures));
  }

  /// The offers that are active now. Blocks.
  public Set<OfferId> active(Collection<OfferId> ids) {
    Set<OfferId> active = new HashSet<>();
    EachShard.map(
            database.shards().split(ids, OfferId::home),
            ofShard -> database.read(tx -> offers.active(tx, ofShard)))
        .forEach(active::addAll);
    return active;
  }

  /// The active offers; of several with one external id the newest. Blocks.
  public Map<ExternalId, OfferId> activeByExternalId(Collection<ExternalId> ids) {
    Map<ExternalId, OfferId> active = new HashMap<>();
    EachShard.map(
            database.shards().split(ids, ExternalId::home),
            ofShard -> database.read(tx -> externalIds.active(tx, ofShard)))
        .forEach(active::putAll);
    return active;
  }

  /// Oldest first. Blocks.
  public List<PricePoint> priceHistory(OfferId id) {
    return database.read(tx -> prices.history(tx, id));
  }

  /// The next offers in the order of first activation; examines at most `maxRows` rows. Blocks.
  public ActivatedPage activatedAfter(
      ActiveOfferFilter filter, ActivationCursor after, int maxRows) {
    return database.read(tx -> activated.page(tx, filter, after, maxRows));
  }

  /// Blocks.
  public List<Home> homesWithExpiries(Map<Home, Instant> after, Instant until) {
    return database.read(tx -> expiring.homes(tx, List.copyOf(after.entrySet()), until));
  }

  /// The next active offers in the order in which they expire; examines at most `maxRows` rows. Blocks.
  public ExpiringPage expiring(Home home, ExpiryCursor after, Instant until, int maxRows) {
    return database.read(tx -> expiring.page(tx, home, after, until, maxRows));
  }

  /// The next active offers of a home in the order of their ids; examines at most `maxRows` rows. Blocks.
  public ActiveOfferPage activeOffers(Home home, long afterId, int maxRows) {
    return database.read(tx -> active.page(tx, home, afterId, maxRows));
  }

  @Override
  public void close() {
    coalescer.close();
  }

  private static Map<OfferId, Offer> existing(
      Map<OfferId, CompletableFuture<Optional<Offer>>> futures) {
    Map<OfferId, Offer> result = new LinkedHashMap<>();
    futures.forEach((id, future) -> future.join().ifPresent(offer -> result.put(id, offer)));
    return result;
  }

  private Map<OfferId, Offer> load(Tx tx, List<OfferId> ids) throws SQLException {
    Map<OfferId, Offer> result = HashMap.newHashMap(ids.size());
    List<OfferId> moved = load(tx, ids, recent.of(ids), result);
    for (int attempt = 0; attempt < MAX_MOVES && !moved.isEmpty(); attempt++) {
      moved = load(tx, moved, Map.of(), result);
    }
    return result;
  }

  /// Returns the offers that exist but whose body was in neither table: they were restored between the
  /// two statements.
  private List<OfferId> load(
      Tx tx, List<OfferId> ids, Map<OfferId, OfferCache.Seen> cached, Map<OfferId, Offer> result)
      throws SQLException {
    List<OfferStore.LockedRow> rows = offers.read(tx, ids, id -> OfferCache.seq(cached.get(id)));
    Map<OfferId, byte[]> archived = archive.read(tx, OfferStore.archived(rows));
    List<OfferId> moved = new ArrayList<>();
    for (OfferStore.LockedRow row : rows) {
      OfferCache.Seen seen = cached.get(row.id());
      byte[] old = archived.get(row.id());
      if (row.body() != null) {
        result.put(row.id(), recent.put(row.id(), row.seq(), row.body()));
      } else if (old != null) {
        result.put(row.id(), OfferStore.parse(old));
      } else if (seen != null && row.month() == null) {
        result.put(row.id(), seen.offer());
      } else {
        moved.add(row.id());
      }
    }
    return moved;
  }
}
