package dev.torg.favorites.projection;

import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.SubscriptionBackfill;
import dev.torg.favorites.SubscriptionBackfills;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// The backfill requests in the database, read and changed in batches of one shard.
public final class StoredBackfills implements SubscriptionBackfills {
  /// Rows changed or searches read by one statement.
  private static final int MAX_BATCH_ROWS = 500;

  private final Database database;
  private final BackfillStore store = new BackfillStore();

  public StoredBackfills(Database database) {
    this.database = database;
  }

  @Override
  public List<SubscriptionBackfill> waiting(Instant from, Instant before, int limit) {
    return database.read(tx -> store.waiting(tx, from, before, limit));
  }

  @Override
  public boolean isAnyWaiting(Instant from, Instant before) {
    return database.read(tx -> store.isAnyWaiting(tx, from, before));
  }

  @Override
  public long count() {
    return database.read(store::count);
  }

  @Override
  public Map<String, SearchQuery> queries(Collection<String> searchIds) {
    Map<String, SearchQuery> queries = new ConcurrentHashMap<>();
    inBatches(
        searchIds,
        Home::of,
        batch -> queries.putAll(database.read(tx -> store.queries(tx, batch))));
    return queries;
  }

  @Override
  public void advance(Collection<SubscriptionBackfill> rows, Instant to) {
    inBatches(
        rows,
        SubscriptionBackfill::home,
        batch -> database.transact(tx -> store.advance(tx, batch, to)));
  }

  @Override
  public void remove(Collection<SubscriptionBackfill> rows) {
    inBatches(
        rows,
        SubscriptionBackfill::home,
        batch -> database.transact(tx -> store.remove(tx, batch)));
  }

  /// The batches of a shard one after the other.
  private <T> void inBatches(
      Collection<T> items, Function<T, Home> home, Consumer<List<T>> statement) {
    EachShard.run(
        database.shards().split(items, home),
        shard -> {
          for (int from = 0; from < shard.size(); from += MAX_BATCH_ROWS) {
            statement.accept(shard.subList(from, Math.min(shard.size(), from + MAX_BATCH_ROWS)));
          }
        });
  }
}
