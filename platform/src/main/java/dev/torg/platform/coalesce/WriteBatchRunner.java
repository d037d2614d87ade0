package dev.torg.platform.coalesce;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.KeyBackoff;
import dev.torg.platform.coalesce.BatchTransactions.LockWait;
import dev.torg.platform.db.CommitUnknown;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.ShardMap;
import dev.torg.platform.db.SqlStates;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a batch of writes to its end in every case: each caller's future completes, with the true outcome.
///
/// **Locked rows.** A process that is suspended inside its transaction keeps rows locked for seconds. An item
/// on such a row costs its lane up to three times the lock timeout, once: then its key pauses ([KeyBackoff])
/// and its items fail immediately. After the pause the next item of the key is tried separately from the batch,
/// with a short lock timeout, and clears the key or pauses it for longer. Items of other keys share their
/// transaction as before, in order of arrival.
///
/// **Shards.** Where tables are distributed, a transaction writes one shard: a batch is split by shard first.
///
/// | what happened | what follows |
/// |---|---|
/// | committed | each item's own outcome |
/// | deadlock, serialization failure or lost connection before COMMIT | the batch again, a few times |
/// | the database stays unavailable | UNAVAILABLE for all |
/// | any other failure before COMMIT, a lock timeout among them | the items one by one |
/// | a row stays locked | UNAVAILABLE for its item; further items of its [key][WriteHandler#lockKey] fail
/// immediately for a while |
/// | the response to COMMIT is lost | search for each item's token; found: its result, else UNAVAILABLE |
final class WriteBatchRunner<I, O> {
  private static final Logger LOG = LoggerFactory.getLogger(WriteBatchRunner.class);

  private static final int ATTEMPTS = 3;

  /// A COMMIT may still be in progress at the server when its connection is lost.
  private static final List<Duration> RECOVERY_DELAYS =
      List.of(Duration.ZERO, Duration.ofMillis(50), Duration.ofMillis(200));

  /// How long a key pauses after a lock timeout, at first and at most.
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

  private final BatchTransactions<I, O> transactions;
  private final Function<I, Home> home;
  private final Supplier<ShardMap> shards;
  private final Function<I, Object> lockKey;
  private final CoalescerMetrics metrics;
  private final LongConsumer pauseNanos;
  private final KeyBackoff<Object> locked;

  WriteBatchRunner(Database database, WriteHandler<I, O> handler, CoalescerMetrics metrics) {
    this(
        new HandlerTransactions<>(database, handler),
        handler::home,
        database::shards,
        handler::lockKey,
        metrics,
        System::nanoTime,
        LockSupport::parkNanos);
  }

  /// @param shards the current shards, which may have changed since the batch was collected
  /// @param nanos the time by which keys pause
  /// @param pauseNanos waits between attempts
  WriteBatchRunner(
      BatchTransactions<I, O> transactions,
      Function<I, Home> home,
      Supplier<ShardMap> shards,
      Function<I, Object> lockKey,
      CoalescerMetrics metrics,
      LongSupplier nanos,
      LongConsumer pauseNanos) {
    this.transactions = transactions;
    this.home = home;
    this.shards = shards;
    this.lockKey = lockKey;
    this.metrics = metrics;
    this.pauseNanos = pauseNanos;
    this.locked = new KeyBackoff<>(FIRST_PAUSE, MAX_PAUSE, nanos);
  }

  void run(List<Pending<I, O>> batch) {
    shards
        .get()
        .split(withoutCancelled(batch), pending -> home.apply(pending.item()))
        .forEach(this::runShard);
  }

  private void runShard(List<Pending<I, O>> items) {
    try {
      runInOrder(items);
    } catch (DatabaseUnavailableException e) {
      items.forEach(item -> item.completeExceptionally(e.failure));
    } catch (Throwable e) {
      LOG.error("a batch of {} failed", items.size(), e);
      items.forEach(item -> item.completeExceptionally(e));
    }
  }

  /// Omits items whose callers have cancelled.
  private List<Pending<I, O>> withoutCancelled(List<Pending<I, O>> batch) {
    for (Pending<I, O> pending : batch) {
      if (pending.isDone()) {
        return batch.stream().filter(item -> !item.isDone()).toList();
      }
    }
    return batch;
  }

  private void runInOrder(List<Pending<I, O>> batch) throws DatabaseUnavailableException {
    if (locked.isEmpty()) {
      runTogether(batch);
      return;
    }
    List<Pending<I, O>> clear = new ArrayList<>();
    for (Pending<I, O> item : batch) {
      switch (locked.state(key(item))) {
        case CLEAR -> clear.add(item);
        case PAUSED -> item.completeExceptionally(rowLocked(null));
        case PROBATION -> {
          runTogether(clear);
          clear = new ArrayList<>();
          runSingly(item, LockWait.SHORT);
        }
      }
    }
    runTogether(clear);
  }

  private void runTogether(List<Pending<I, O>> batch) throws DatabaseUnavailableException {
    switch (batch.size()) {
      case 0 -> {}
      case 1 -> runSingly(batch.getFirst(), LockWait.FULL);
      default -> {
        if (!tryTogether(batch)) {
          metrics.split();
          runOneByOne(batch);
        }
      }
    }
  }

  /// Once one item has timed out on a lock, the others wait with the short timeout only.
  private void runOneByOne(List<Pending<I, O>> batch) throws DatabaseUnavailableException {
    LockWait wait = LockWait.FULL;
    for (Pending<I, O> item : batch) {
      if (locked.state(key(item)) == KeyBackoff.State.PAUSED) {
        item.completeExceptionally(rowLocked(null));
      } else if (!runSingly(item, wait)) {
        wait = LockWait.SHORT;
      }
    }
  }

  /// Whether every caller's future has completed.
  private boolean tryTogether(List<Pending<I, O>> batch) throws DatabaseUnavailableException {
    try {
      commitAndComplete(batch, LockWait.FULL);
      return true;
    } catch (SQLException | RuntimeException e) {
      LOG.warn("a batch of {} failed before COMMIT and runs item by item", batch.size(), e);
      return false;
    }
  }

  /// False when its rows stayed locked.
  private boolean runSingly(Pending<I, O> item, LockWait wait) throws DatabaseUnavailableException {
    try {
      commitAndComplete(List.of(item), wait);
      locked.succeeded(key(item));
    } catch (SQLException e) {
      if (SqlStates.isLockTimeout(e)) {
        locked.failed(key(item));
        item.completeExceptionally(rowLocked(e));
        return false;
      }
      item.completeExceptionally(Database.unavailable(e));
    } catch (Failure e) {
      item.completeExceptionally(e);
    } catch (RuntimeException e) {
      LOG.error("an item failed", e);
      item.completeExceptionally(e);
    }
    return true;
  }

  private static Failure rowLocked(@Nullable SQLException cause) {
    return Failure.unavailable(
        "row.locked", "another change of the same record is in progress, try again", cause);
  }

  private Object key(Pending<I, O> item) {
    return lockKey.apply(item.item());
  }

  private void commitAndComplete(List<Pending<I, O>> batch, LockWait wait)
      throws SQLException, DatabaseUnavailableException {
    List<I> items = items(batch);
    List<Outcome<O>> outcomes;
    try {
      outcomes = commit(items, wait);
    } catch (CommitUnknown e) {
      LOG.warn("the response to the COMMIT of {} items was lost", items.size(), e);
      metrics.commitUnknown();
      recover(batch);
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      complete(batch.get(i), outcomes.get(i));
    }
  }

  private List<Outcome<O>> commit(List<I> items, LockWait wait)
      throws SQLException, DatabaseUnavailableException {
    boolean retryIfLocked = wait == LockWait.FULL && items.size() == 1;
    for (int attempt = 1; ; attempt++) {
      try {
        return transactions.commit(items, wait);
      } catch (SQLException e) {
        if (attempt == ATTEMPTS || !isRetryable(e, retryIfLocked)) {
          failIfUnavailable(e);
          throw e;
        }
        pauseNanos.accept(ThreadLocalRandom.current().nextLong(1_000_000L << attempt));
      }
    }
  }

  private static void failIfUnavailable(SQLException e) throws DatabaseUnavailableException {
    if (SqlStates.isConnectionLost(e)) {
      throw new DatabaseUnavailableException(e);
    }
  }

  /// A batch that met a locked row splits immediately: only one of its items has to wait.
  private static boolean isRetryable(SQLException e, boolean alsoIfLocked) {
    return SqlStates.isTransient(e) && (alsoIfLocked || !SqlStates.isLockTimeout(e));
  }

  private void complete(Pending<I, O> item, Outcome<O> outcome) {
    switch (outcome) {
      case Outcome.Done<O>(O value) -> item.complete(value);
      case Outcome.Failed<O>(Failure failure) -> item.completeExceptionally(failure);
    }
  }

  /// Completes all futures and throws nothing: from here on nothing may be retried.
  private void recover(List<Pending<I, O>> batch) {
    List<Pending<I, O>> missing = batch;
    try {
      for (Duration wait : RECOVERY_DELAYS) {
        pauseNanos.accept(wait.toNanos());
        missing = completeRecovered(missing);
      }
    } catch (SQLException | RuntimeException e) {
      LOG.warn("cannot search for {} items after a lost COMMIT response", missing.size(), e);
    }
    for (Pending<I, O> item : missing) {
      item.completeExceptionally(
          Failure.unavailable(
              "commit.unknown", "it is unknown whether the change was applied", null));
    }
  }

  /// The items without a stored effect.
  private List<Pending<I, O>> completeRecovered(List<Pending<I, O>> lost) throws SQLException {
    if (lost.isEmpty()) {
      return lost;
    }
    List<Pending<I, O>> missing = new ArrayList<>();
    List<I> items = items(lost);
    List<Optional<O>> recovered = transactions.recover(items);
    for (int i = 0; i < lost.size(); i++) {
      Pending<I, O> item = lost.get(i);
      recovered.get(i).ifPresentOrElse(item::complete, () -> missing.add(item));
    }
    return missing;
  }

  private List<I> items(List<Pending<I, O>> batch) {
    List<I> items = new ArrayList<>(batch.size());
    for (Pending<I, O> pending : batch) {
      items.add(pending.item());
    }
    return items;
  }

  /// No connection: trying the items one by one would only keep their callers waiting.
  private static final class DatabaseUnavailableException extends Exception {
    private final transient Failure failure;

    DatabaseUnavailableException(SQLException cause) {
      super(cause);
      this.failure = Database.unavailable(cause);
    }
  }
}
