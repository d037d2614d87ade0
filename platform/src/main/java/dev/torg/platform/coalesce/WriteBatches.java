package dev.torg.platform.coalesce;

import dev.torg.platform.Failure;
import dev.torg.platform.db.CommitUnknown;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.SqlStates;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a batch of writes to its end, whatever happens: every caller is told, and told the truth.
///
/// | what happened | what follows |
/// |---|---|
/// | committed | each item's own outcome |
/// | deadlock, serialization failure or lost connection before COMMIT | the batch again, a few times |
/// | the database stays away | UNAVAILABLE for all |
/// | any other failure before COMMIT, a lock timeout among them | the items one by one |
/// | COMMIT unanswered | look for each item's token; found: its answer, else UNAVAILABLE |
final class WriteBatches<I, O> {
  private static final Logger LOG = LoggerFactory.getLogger(WriteBatches.class);

  private static final int ATTEMPTS = 3;

  /// A COMMIT may still be under way at the server when its connection is lost to us.
  private static final List<Duration> LOOKS =
      List.of(Duration.ZERO, Duration.ofMillis(50), Duration.ofMillis(200));

  private final Database database;
  private final WriteHandler<I, O> handler;
  private final CoalescerMetrics metrics;

  WriteBatches(Database database, WriteHandler<I, O> handler, CoalescerMetrics metrics) {
    this.database = database;
    this.handler = handler;
    this.metrics = metrics;
  }

  void run(List<Pending<I, O>> batch) {
    List<Pending<I, O>> items = stillWanted(batch);
    try {
      runTogether(items);
    } catch (DatabaseAway e) {
      items.forEach(item -> item.completeExceptionally(e.failure));
    } catch (Throwable e) {
      LOG.error("a batch of {} failed", items.size(), e);
      items.forEach(item -> item.completeExceptionally(e));
    }
  }

  /// Callers that gave up meanwhile are left out.
  private List<Pending<I, O>> stillWanted(List<Pending<I, O>> batch) {
    for (Pending<I, O> pending : batch) {
      if (pending.isDone()) {
        return batch.stream().filter(item -> !item.isDone()).toList();
      }
    }
    return batch;
  }

  private void runTogether(List<Pending<I, O>> batch) throws DatabaseAway {
    switch (batch.size()) {
      case 0 -> {}
      case 1 -> runAlone(batch.getFirst());
      default -> {
        if (!tryTogether(batch)) {
          metrics.split();
          for (Pending<I, O> item : batch) {
            runAlone(item);
          }
        }
      }
    }
  }

  /// Whether everybody has been told.
  private boolean tryTogether(List<Pending<I, O>> batch) throws DatabaseAway {
    try {
      commitAndTell(batch);
      return true;
    } catch (SQLException | RuntimeException e) {
      LOG.warn("a batch of {} failed before COMMIT and runs item by item", batch.size(), e);
      return false;
    }
  }

  private void runAlone(Pending<I, O> item) throws DatabaseAway {
    try {
      commitAndTell(List.of(item));
    } catch (SQLException e) {
      item.completeExceptionally(Database.failed(e));
    } catch (Failure e) {
      item.completeExceptionally(e);
    } catch (RuntimeException e) {
      LOG.error("an item failed", e);
      item.completeExceptionally(e);
    }
  }

  private void commitAndTell(List<Pending<I, O>> batch) throws SQLException, DatabaseAway {
    List<I> items = items(batch);
    List<Outcome<O>> outcomes;
    try {
      outcomes = commit(items);
    } catch (CommitUnknown e) {
      LOG.warn("the answer to a COMMIT of {} items was lost", items.size(), e);
      metrics.commitUnknown();
      recover(batch);
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      tell(batch.get(i), outcomes.get(i));
    }
  }

  private List<Outcome<O>> commit(List<I> items) throws SQLException, DatabaseAway {
    for (int attempt = 1; ; attempt++) {
      try {
        return database.inTransactionOnce(tx -> apply(tx, items));
      } catch (SQLException e) {
        if (attempt == ATTEMPTS || !isWorthAnother(e, items.size())) {
          throwAway(e);
          throw e;
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L << attempt));
      }
    }
  }

  private static void throwAway(SQLException e) throws DatabaseAway {
    if (SqlStates.isConnectionLost(e)) {
      throw new DatabaseAway(e);
    }
  }

  /// A batch that met a locked row splits at once: only one of its items has to wait.
  private static boolean isWorthAnother(SQLException e, int items) {
    return SqlStates.isPassing(e) && (items == 1 || !SqlStates.isLockTimeout(e));
  }

  private List<Outcome<O>> apply(Tx tx, List<I> items) throws SQLException {
    List<Outcome<O>> outcomes = handler.apply(tx, items);
    if (outcomes.size() != items.size()) {
      throw new IllegalStateException(
          items.size() + " items, but " + outcomes.size() + " outcomes");
    }
    return outcomes;
  }

  private void tell(Pending<I, O> item, Outcome<O> outcome) {
    switch (outcome) {
      case Outcome.Done<O>(O value) -> item.complete(value);
      case Outcome.Failed<O>(Failure failure) -> item.completeExceptionally(failure);
    }
  }

  /// Tells everybody and throws nothing: from here on nothing may run again.
  private void recover(List<Pending<I, O>> batch) {
    List<Pending<I, O>> missing = batch;
    try {
      for (Duration wait : LOOKS) {
        LockSupport.parkNanos(wait.toNanos());
        missing = tellFound(missing);
      }
    } catch (SQLException | RuntimeException e) {
      LOG.warn("cannot look for {} items after a lost COMMIT", missing.size(), e);
    }
    for (Pending<I, O> item : missing) {
      item.completeExceptionally(
          Failure.unavailable(
              "commit.unknown", "it is not known whether the change was made", null));
    }
  }

  /// Those whose effect is not there.
  private List<Pending<I, O>> tellFound(List<Pending<I, O>> lost) throws SQLException {
    if (lost.isEmpty()) {
      return lost;
    }
    List<Pending<I, O>> missing = new ArrayList<>();
    List<I> items = items(lost);
    List<Optional<O>> found = database.readOnce(tx -> handler.recover(tx, items));
    for (int i = 0; i < lost.size(); i++) {
      Pending<I, O> item = lost.get(i);
      found.get(i).ifPresentOrElse(item::complete, () -> missing.add(item));
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
  private static final class DatabaseAway extends Exception {
    private final transient Failure failure;

    DatabaseAway(SQLException cause) {
      super(cause);
      this.failure = Database.failed(cause);
    }
  }
}
