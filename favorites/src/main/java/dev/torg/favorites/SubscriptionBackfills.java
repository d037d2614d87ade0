package dev.torg.favorites;

import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.projection.BackfillStore;
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

/// New subscriptions that wait for a scan of recent offers. A request is committed with its projection
/// and stays until [#remove], so a scan happens at least once, whatever crashes. Blocks.
public final class SubscriptionBackfills {
  /// Rows changed or searches read by one statement.
  private static final int MAX_BATCH_ROWS = 500;

  private final Database database;
  private final boolean distributed;
  private final BackfillStore store = new BackfillStore();

  public SubscriptionBackfills(Database database) {
    this.database = database;
    this.distributed = database.isDistributed();
  }

  /// Those that look from a time in this range on (the end excluded), the earliest first.
  public List<SubscriptionBackfill> waiting(Instant from, Instant before, int atMost) {
    return database.read(tx -> store.waiting(tx, from, before, atMost));
  }

  public boolean isAnyWaiting(Instant from, Instant before) {
    return database.read(tx -> store.isAnyWaiting(tx, from, before));
  }

  public long count() {
    return database.read(store::count);
  }

  /// The queries of these searches; those that are unknown or unreadable are left out.
  public Map<String, SearchQuery> queries(Collection<String> searchIds) {
    Map<String, SearchQuery> found = new HashMap<>();
    for (List<String> batch : batches(searchIds, Home::of)) {
      found.putAll(database.read(tx -> store.queries(tx, batch)));
    }
    return found;
  }

  /// Everything before the given time has been looked at for these.
  public void advance(Collection<SubscriptionBackfill> rows, Instant to) {
    inBatches(rows, (tx, batch) -> store.advance(tx, batch, to));
  }

  /// The scan is done for these, as they were when they were read.
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

  /// Of one home each where tables are distributed.
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
