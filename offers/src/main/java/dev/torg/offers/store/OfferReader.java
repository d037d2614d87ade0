package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.PricePoint;
import dev.torg.offers.archive.ArchiveStore;
import dev.torg.platform.OfferId;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.coalesce.ReadCoalescer;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// Reads offers by id, the archive included. Concurrent reads share a statement; what was committed
/// before a read was asked for is seen by it. Who may see what is not decided here.
public final class OfferReader implements AutoCloseable {
  private final OfferStore offers = new OfferStore();
  private final ArchiveStore archive = new ArchiveStore();
  private final PriceStore prices = new PriceStore();
  private final Database database;
  private final ReadCoalescer<OfferId, Offer> coalescer;

  public OfferReader(Database database, CoalescerSettings settings, MeterRegistry registry) {
    this.database = database;
    this.coalescer = new ReadCoalescer<>(settings, database, OfferId::home, this::load, registry);
  }

  /// The future completes on a reader's thread: what hangs on it must not block.
  public CompletableFuture<Optional<Offer>> get(OfferId id) {
    return coalescer.get(id);
  }

  /// Those that exist, in the order of the ids.
  public CompletableFuture<Map<OfferId, Offer>> get(Collection<OfferId> ids) {
    Map<OfferId, CompletableFuture<Optional<Offer>>> asked = new LinkedHashMap<>();
    ids.forEach(id -> asked.computeIfAbsent(id, coalescer::get));
    return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
        .thenApply(_ -> found(asked));
  }

  /// Oldest first. Blocks.
  public List<PricePoint> priceHistory(OfferId id) {
    return database.read(tx -> prices.history(tx, id));
  }

  /// In the order of first activation: those first activated after the given time, or at it with a
  /// higher id; of these sellers only, unless none are named. Blocks.
  public List<Offer> activatedAfter(Instant time, long id, Set<String> sellers, int atMost) {
    return database.read(
        tx ->
            sellers.isEmpty()
                ? offers.activatedAfter(tx, time, id, atMost)
                : offers.activatedAfter(tx, time, id, sellers, atMost));
  }

  @Override
  public void close() {
    coalescer.close();
  }

  private static Map<OfferId, Offer> found(Map<OfferId, CompletableFuture<Optional<Offer>>> asked) {
    Map<OfferId, Offer> found = new LinkedHashMap<>();
    asked.forEach((id, future) -> future.join().ifPresent(offer -> found.put(id, offer)));
    return found;
  }

  private Map<OfferId, Offer> load(Tx tx, List<OfferId> ids) throws SQLException {
    Map<OfferId, Offer> found = HashMap.newHashMap(ids.size());
    List<OfferStore.Found> rows = offers.read(tx, ids);
    Map<OfferId, byte[]> archived = archive.read(tx, OfferStore.archived(rows));
    for (OfferStore.Found row : rows) {
      byte[] body = row.body() != null ? row.body() : archived.get(row.id());
      if (body != null) {
        found.put(row.id(), OfferStore.parse(body));
      }
    }
    return found;
  }
}
