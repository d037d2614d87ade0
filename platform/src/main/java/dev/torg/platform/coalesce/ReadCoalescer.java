package dev.torg.platform.coalesce;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.SqlStates;
import dev.torg.platform.db.Tx;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Merges concurrent reads by key into one statement. A read sees everything committed before it was requested:
/// a batch is loaded only after its last key was added.
public final class ReadCoalescer<K, V> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadCoalescer.class);

  private final Database database;
  private final Function<? super K, Home> home;
  private final Loader<K, V> loader;
  private final CoalescerMetrics metrics;
  private final LaneSet<Pending<K, Optional<V>>> lanes;

  /// Reads the values of different keys and omits missing ones. Where the database is distributed,
  /// all keys are of one shard.
  @FunctionalInterface
  public interface Loader<K, V> {
    Map<K, V> load(Tx tx, List<K> keys) throws SQLException;
  }

  public ReadCoalescer(
      CoalescerSettings settings,
      Database database,
      Function<? super K, Home> home,
      Loader<K, V> loader,
      MeterRegistry registry) {
    this.database = database;
    this.home = home;
    this.loader = loader;
    this.metrics = new CoalescerMetrics(registry, settings.name());
    this.lanes = LaneSet.unordered(settings, Pending::caller, this::run);
    metrics.watch(lanes::waiting);
  }

  /// The future completes on a worker's thread; dependent stages must not block. It fails with a [Failure]:
  /// EXHAUSTED when too many reads wait, UNAVAILABLE when the database is unavailable.
  public CompletableFuture<Optional<V>> get(K key) {
    Pending<K, Optional<V>> pending = new Pending<>(key);
    Failure refused = lanes.add(pending, home.apply(key), 0);
    if (refused != null) {
      pending.completeExceptionally(refused);
    }
    return pending;
  }

  /// Completes all requested reads.
  @Override
  public void close() {
    lanes.close();
  }

  private void run(List<Pending<K, Optional<V>>> batch) {
    long startNanos = System.nanoTime();
    // The shards may have changed since the lanes were opened.
    database.shards().split(batch, pending -> home.apply(pending.item())).forEach(this::complete);
    metrics.ran(batch.size(), batch.getFirst().sinceNanos(), startNanos);
  }

  private void complete(List<Pending<K, Optional<V>>> batch) {
    try {
      Map<K, V> values = load(distinctKeys(batch));
      for (Pending<K, Optional<V>> pending : batch) {
        pending.complete(Optional.ofNullable(values.get(pending.item())));
      }
    } catch (SQLException e) {
      if (SqlStates.isConnectionLost(e)) {
        complete(batch, Database.unavailable(e));
      } else {
        completeOneByOne(batch, e, Database.unavailable(e));
      }
    } catch (RuntimeException | Error e) {
      completeOneByOne(batch, e, e);
    }
  }

  /// One unreadable row must not hide the others.
  private void completeOneByOne(
      List<Pending<K, Optional<V>>> batch, Throwable cause, Throwable failure) {
    LOG.warn("a batch of {} reads failed", batch.size(), cause);
    if (batch.size() == 1) {
      complete(batch, failure);
      return;
    }
    metrics.split();
    batch.forEach(pending -> complete(List.of(pending)));
  }

  private void complete(List<Pending<K, Optional<V>>> batch, Throwable failure) {
    batch.forEach(pending -> pending.completeExceptionally(failure));
  }

  /// Retries once if the pooled connection turned out to be broken.
  private Map<K, V> load(List<K> keys) throws SQLException {
    try {
      return database.readWithoutRetry(tx -> loader.load(tx, keys));
    } catch (SQLException e) {
      if (!SqlStates.isTransient(e)) {
        throw e;
      }
      return database.readWithoutRetry(tx -> loader.load(tx, keys));
    }
  }

  private List<K> distinctKeys(List<Pending<K, Optional<V>>> batch) {
    List<K> keys = new ArrayList<>(batch.size());
    Set<K> seen = HashSet.newHashSet(batch.size());
    for (Pending<K, Optional<V>> pending : batch) {
      if (seen.add(pending.item())) {
        keys.add(pending.item());
      }
    }
    return keys;
  }
}
