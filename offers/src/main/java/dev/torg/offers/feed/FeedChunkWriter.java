package dev.torg.offers.feed;

import dev.torg.offers.category.OfferValidator;
import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.store.OfferBatchWriter;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// Writes some hundred items in one transaction: their offers, marks, failures, counts and the promotions
/// that they ask for commit together or not at all.
///
/// A chunk that fails before COMMIT is retried, in halves if it keeps failing (for example because another
/// transaction holds a row for long). A COMMIT without a response ends the upload; repeating the upload
/// shows what was written.
public final class FeedChunkWriter {
  /// Maximum number of stored failures of a task. All are counted.
  static final int MAX_ERRORS = 10_000;

  /// Attempts to write a chunk that conflicts with another feed of the seller or with an id in use.
  private static final int ATTEMPTS = 5;

  private final Database database;
  private final PublishingTerms terms;
  private final Duration archiveAfter;
  private final InstantSource clock;
  private final OfferBatchWriter offers;
  private final FeedItemStore items = new FeedItemStore();
  private final FeedErrorStore errors = new FeedErrorStore();
  private final FeedTaskStore tasks = new FeedTaskStore();
  private final FeedPromotionEvents promotions;

  public FeedChunkWriter(
      Database database,
      OfferBatchWriter offers,
      Outbox outbox,
      PublishingTerms terms,
      Duration archiveAfter,
      InstantSource clock) {
    this.database = database;
    this.promotions = new FeedPromotionEvents(outbox);
    this.offers = offers;
    this.terms = terms;
    this.archiveAfter = archiveAfter;
    this.clock = clock;
  }

  void write(UploadId upload, List<FeedEntry> entries) {
    OfferValidator rules = terms.rules();
    write(upload, Chunk.of(entries, rules));
  }

  private void write(UploadId upload, Chunk chunk) {
    try {
      tryToWrite(upload, chunk);
    } catch (Failure failure) {
      if (failure.kind() != Failure.Kind.UNAVAILABLE || chunk.items().size() < 2) {
        throw failure;
      }
      chunk.halves().forEach(half -> write(upload, half));
    }
  }

  private void tryToWrite(UploadId upload, Chunk chunk) {
    for (int attempt = 1; ; attempt++) {
      Instant now = clock.instant();
      try {
        database.inTransaction(tx -> write(tx, upload, chunk, now));
        return;
      } catch (ConcurrentWriteException e) {
        if (attempt == ATTEMPTS) {
          throw Failure.unavailable("feed.busy", "another feed of the seller is in progress", e);
        }
      }
    }
  }

  private boolean write(Tx tx, UploadId upload, Chunk chunk, Instant now) throws SQLException {
    tx.forceCustomPlans();
    ChunkPlan plan =
        new ChunkPlan(
            upload,
            chunk,
            terms,
            new FeedItemAction.Rules(
                archiveAfter, dev.torg.offers.lifecycle.UpsertFromFeed.prolongWindow(terms), now));
    String seller = upload.task().seller();
    plan.addStored(items.lock(tx, seller, chunk.externalIds()));
    plan.unclaimed(items.unclaimed(tx, seller, plan.unknown()));
    plan.decide(EpochMicros.of(now));
    if (items.insert(tx, upload, plan.added()) != plan.added().size()) {
      throw new ConcurrentWriteException();
    }
    items.mark(tx, upload, plan.marked());
    plan.written(offers.write(tx, plan.commands()));
    items.clearHash(tx, seller, plan.refused());
    promotions.append(tx, upload.task(), plan.promotions(), clock.instant());
    count(tx, upload.task(), plan, now);
    return true;
  }

  private void count(Tx tx, StoredFeedTask.Key task, ChunkPlan plan, Instant now)
      throws SQLException {
    List<FeedEntry.Invalid> failures = plan.failures();
    int retained = 0;
    int unseen = failures.size();
    if (!failures.isEmpty() && tasks.errors(tx, task) < MAX_ERRORS) {
      retained = errors.add(tx, task, failures);
      unseen = retained;
    }
    if (!tasks.add(tx, task, plan.counts(unseen), retained, false, now)) {
      throw Failure.conflict("feed.task-over", "the task accepts no more items");
    }
  }

  /// A concurrent feed inserted an item first. The chunk is decided again.
  static final class ConcurrentWriteException extends RuntimeException {
    ConcurrentWriteException() {
      super(null, null, false, false);
    }
  }
}
