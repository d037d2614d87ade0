package dev.torg.favorites.projection;

import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.SubscriptionBackfill;
import dev.torg.favorites.SubscriptionBackfills;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The backfill requests in the database, read and changed in batches of one home.
public final class StoredBackfills implements SubscriptionBackfills {
  /// Rows changed or searches read by one statement.
  private static final int MAX_BATCH_ROWS = 500;

  private final Database database;
  private final boolean distributed;
  private final BackfillStore store = new BackfillStore();

  public StoredBackfills(Database database) {
    this.database = database;
    this.distributed = database.isDistributed();
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
    Map<String, SearchQuery> queries = new HashMap<>();
    for (List<String> batch : batches(searchIds, Home::of)) {
      queries.putAll(database.read(tx -> store.queries(tx, batch)));
    }
    return queries;
  }

  @Override
  public void advance(Collection<SubscriptionBackfill> rows, Instant to) {
    inBatches(rows, (tx, batch) -> store.advance(tx, batch, to));
  }

  @Override
  public void remove(Collection<SubscriptionBackfill> rows) {
    inBatches(rows, store::remove);
  }

  private interface Write {
    void write(Tx tx, List<SubscriptionBackfill> rows) throws SQLException;
  }

  private void inBatches(Collection<SubscriptionBackfill> rows, Write write) {
    for (List<SubscriptionBackfill> batch : batches(rows, SubscriptionBackfill::home)) {
      database.inTransaction(
          tx -> {
            write.write(tx, batch);
            return true;
          });
    }
  }

  /// Each of one home where tables are distributed.
  private <T> List<List<T>> batches(Collection<T> items, Function<T, Home> home) {
    Collection<List<T>> groups =
        distributed
            ? items.stream().collect(Collectors.groupingBy(home)).values()
            : List.of(List.copyOf(items));
    List<List<T>> batches = new ArrayList<>();
    for (List<T> group : groups) {
      for (int from = 0; from < group.size(); from += MAX_BATCH_ROWS) {
        batches.add(group.subList(from, Math.min(group.size(), from + MAX_BATCH_ROWS)));
      }
    }
    return batches;
  }
}
