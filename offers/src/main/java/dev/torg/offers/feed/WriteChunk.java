package dev.torg.offers.feed;

import dev.torg.offers.category.OfferRules;
import dev.torg.offers.feed.read.Entry;
import dev.torg.offers.life.Micros;
import dev.torg.offers.life.Terms;
import dev.torg.offers.store.OfferChunks;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// Writes some hundred items in one transaction: their offers, marks, failures and counts commit
/// together or not at all.
///
/// What fails before COMMIT runs again, in halves when it keeps failing (a row that somebody holds for
/// long). An unanswered COMMIT ends the upload: whoever uploads again finds out what was written.
final class WriteChunk {
  /// Failures of a task that are kept; all are counted.
  static final int MAX_ERRORS = 10_000;

  /// Attempts of a chunk that another feed of the seller, or a taken id, was in the way of.
  private static final int ATTEMPTS = 5;

  private final Database database;
  private final Terms terms;
  private final Duration archiveAfter;
  private final InstantSource clock;
  private final OfferChunks offers;
  private final ItemStore items = new ItemStore();
  private final ErrorStore errors = new ErrorStore();
  private final TaskStore tasks = new TaskStore();

  WriteChunk(
      Database database,
      OfferChunks offers,
      Terms terms,
      Duration archiveAfter,
      InstantSource clock) {
    this.database = database;
    this.offers = offers;
    this.terms = terms;
    this.archiveAfter = archiveAfter;
    this.clock = clock;
  }

  void write(Upload upload, List<Entry> entries) {
    OfferRules rules = terms.rules();
    write(upload, Chunk.of(entries, rules));
  }

  private void write(Upload upload, Chunk chunk) {
    try {
      tryToWrite(upload, chunk);
    } catch (Failure failure) {
      if (failure.kind() != Failure.Kind.UNAVAILABLE || chunk.items().size() < 2) {
        throw failure;
      }
      chunk.halves().forEach(half -> write(upload, half));
    }
  }

  private void tryToWrite(Upload upload, Chunk chunk) {
    for (int attempt = 1; ; attempt++) {
      Instant now = clock.instant();
      try {
        database.inTransaction(tx -> write(tx, upload, chunk, now));
        return;
      } catch (InTheWay e) {
        if (attempt == ATTEMPTS) {
          throw Failure.unavailable("feed.busy", "another feed of the seller is in the way", e);
        }
      }
    }
  }

  private boolean write(Tx tx, Upload upload, Chunk chunk, Instant now) throws SQLException {
    tx.planAfresh();
    Plan plan =
        new Plan(
            upload,
            chunk,
            terms,
            new Verdict.Rules(archiveAfter, dev.torg.offers.life.Bring.soon(terms), now));
    String seller = upload.task().seller();
    plan.known(items.lock(tx, seller, chunk.externalIds()));
    plan.unclaimed(items.unclaimed(tx, seller, plan.unknown()));
    plan.decide(Micros.of(now));
    if (items.insert(tx, upload, plan.added()) != plan.added().size()) {
      throw new InTheWay();
    }
    items.mark(tx, upload, plan.marked());
    plan.written(offers.write(tx, plan.commands()));
    items.forgetHash(tx, seller, plan.refused());
    count(tx, upload.task(), plan, now);
    return true;
  }

  private void count(Tx tx, Task.Key task, Plan plan, Instant now) throws SQLException {
    List<Entry.Broken> failures = plan.failures();
    int kept = 0;
    int unseen = failures.size();
    if (!failures.isEmpty() && tasks.errors(tx, task) < MAX_ERRORS) {
      kept = errors.add(tx, task, failures);
      unseen = kept;
    }
    if (!tasks.add(tx, task, plan.counts(unseen), kept, false, now)) {
      throw Failure.conflict("feed.task-over", "the task takes no more items");
    }
  }

  /// Somebody was quicker: look again.
  static final class InTheWay extends RuntimeException {
    InTheWay() {
      super(null, null, false, false);
    }
  }
}
