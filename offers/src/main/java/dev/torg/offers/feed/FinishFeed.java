package dev.torg.offers.feed;

import dev.torg.api.v1.FeedTask.Status;
import dev.torg.offers.feed.FeedItemStore.RemovalStats;
import dev.torg.offers.feed.FeedItemStore.RemovedItem;
import dev.torg.offers.lifecycle.RemoveByFeed;
import dev.torg.offers.store.OfferBatchWriter;
import dev.torg.offers.store.OfferWriteResult;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.coalesce.Outcome;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Finishes a task whose items have all arrived: checks the guards, removes the offers that it did not
/// name, a page at a time, and then marks the task as finished. Several processes may run it concurrently;
/// after a crash it resumes from the rows.
public final class FinishFeed {
  /// Offers removed in one transaction.
  private static final int REMOVAL_PAGE_SIZE = 1_000;

  private final Database database;
  private final OfferBatchWriter offers;
  private final FeedThrottle throttle;
  private final RemovalGuard guard;
  private final FeedTaskEvents events;
  private final InstantSource clock;
  private final FeedTaskStore tasks = new FeedTaskStore();
  private final FeedItemStore items = new FeedItemStore();

  public FinishFeed(
      Database database,
      OfferBatchWriter offers,
      FeedThrottle throttle,
      Outbox outbox,
      int removalPercent,
      InstantSource clock) {
    this.database = database;
    this.offers = offers;
    this.throttle = throttle;
    this.events = new FeedTaskEvents(outbox);
    this.guard = new RemovalGuard(removalPercent);
    this.clock = clock;
  }

  /// Returns the resulting task: FINISHED, or STOPPED by a guard.
  ///
  /// @param wholeFeed whether the last upload contained the whole feed and was read to its end
  StoredFeedTask run(StoredFeedTask.Key key, boolean force, boolean wholeFeed) {
    StoredFeedTask task = find(key);
    if (task.status() == Status.FINISHED) {
      return task;
    }
    if (task.removing() || mayRemove(task, force, wholeFeed)) {
      remove(key);
    }
    return find(key);
  }

  /// Continues a removal that has begun.
  void remove(StoredFeedTask.Key key) {
    String after = "";
    while (true) {
      String from = after;
      throttle.throttle(key.home());
      Optional<String> last = database.inTransaction(tx -> removePage(tx, key, from));
      if (last.isEmpty() && from.isEmpty()) {
        return;
      }
      after = last.orElse("");
    }
  }

  private boolean mayRemove(StoredFeedTask task, boolean force, boolean wholeFeed) {
    StoredFeedTask.Key key = task.key();
    RemovalStats removalStats = share(task);
    return database.inTransaction(
        tx -> {
          long closed = tasks.lockSeller(tx, key.seller(), 0).closed();
          if (closed >= key.taskId()) {
            requireSameTask(tx, key);
            return true;
          }
          if (wholeFeed) {
            tasks.clearReadFailure(tx, key);
          }
          return beginRemoval(tx, key, force ? Optional.empty() : check(tx, key, removalStats));
        });
  }

  /// Offers that their owner removed before do not count. They are counted only if that can change the
  /// decision.
  private RemovalStats share(StoredFeedTask task) {
    RemovalStats items = database.read(tx -> this.items.count(tx, task.key()));
    return guard.checkShare(items, task.counts().created()).isEmpty()
        ? items
        : database.read(tx -> this.items.countShown(tx, task.key()));
  }

  private boolean beginRemoval(Tx tx, StoredFeedTask.Key key, Optional<String> objection)
      throws SQLException {
    Instant now = clock.instant();
    if (objection.isPresent()) {
      end(tx, key, Status.STOPPED, objection.get());
      return false;
    }
    List<StoredFeedTask.Key> replaced =
        tasks.close(tx, key, "task " + key.taskId() + " has replaced it", now);
    events.replaced(tx, replaced, key.taskId());
    tasks.set(tx, key, Status.RUNNING, true, "", now);
    return true;
  }

  private void end(Tx tx, StoredFeedTask.Key key, Status status, String message)
      throws SQLException {
    Instant at = tasks.laterThanLastChange(tx, key, clock.instant());
    if (tasks.set(tx, key, status, false, message, at)) {
      events.ended(tx, key);
    }
  }

  /// Fails if a concurrent call or a later task has closed the task.
  private void requireSameTask(Tx tx, StoredFeedTask.Key key) throws SQLException {
    boolean isSameTask =
        tasks
            .find(tx, key)
            .filter(task -> task.removing() || task.status() == Status.FINISHED)
            .isPresent();
    if (!isSameTask) {
      throw Failure.conflict("feed.task-old", "a later task of this seller is finished");
    }
  }

  private Optional<String> check(Tx tx, StoredFeedTask.Key key, RemovalStats removalStats)
      throws SQLException {
    StoredFeedTask task = tasks.find(tx, key).orElseThrow(FeedService::noSuchTask);
    return guard.check(task, tasks.firstUnfinished(tx, key), removalStats);
  }

  /// Returns the last external id of the page; empty if nothing was left.
  private Optional<String> removePage(Tx tx, StoredFeedTask.Key key, String after)
      throws SQLException {
    Instant now = clock.instant();
    tx.forceCustomPlans();
    List<RemovedItem> omitted = items.lockOlder(tx, key, after, REMOVAL_PAGE_SIZE);
    if (omitted.isEmpty()) {
      if (after.isEmpty()) {
        end(tx, key, Status.FINISHED, "");
      }
      return Optional.empty();
    }
    long at = EpochMicros.of(now);
    List<RemoveByFeed> commands =
        omitted.stream().map(item -> new RemoveByFeed(item.offer(), at)).toList();
    int removed = removed(offers.write(tx, commands), at);
    items.remove(tx, key, omitted, now);
    if (!tasks.add(tx, key, FeedCounts.ofRemoved(removed), 0, true, now)) {
      throw Failure.conflict("feed.task-over", "the task is finished");
    }
    return Optional.of(omitted.getLast().externalId());
  }

  /// Offers that their owner had removed before do not count.
  private static int removed(List<Outcome<OfferWriteResult>> outcomes, long at) {
    int removed = 0;
    for (Outcome<OfferWriteResult> outcome : outcomes) {
      if (outcome instanceof Outcome.Done<OfferWriteResult>(OfferWriteResult.Current(var offer))
          && EpochMicros.of(offer.getUpdatedAt()) >= at) {
        removed++;
      }
    }
    return removed;
  }

  private StoredFeedTask find(StoredFeedTask.Key key) {
    return database.read(tx -> tasks.find(tx, key)).orElseThrow(FeedService::noSuchTask);
  }
}
