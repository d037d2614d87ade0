package dev.torg.offers.draft;

import dev.torg.offers.draft.TakeoverStore.TakeoverRow;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/// Takes an anonymous draft over to a login, across homes, keeping its id.
///
/// Each step is one transaction in one home and can be repeated; whatever is left unfinished is
/// completed by the login's next opening or by a job.
///
/// 1. BEGUN, login's home: the row that says what is going on.
/// 2. FROZEN, anonymous home: the draft can still be read but no longer changed, so what is decided
///    next stays true.
/// 3. APPLIED, login's home: the choice between both drafts is made and done, once.
/// 4. WIPED, anonymous home: the frozen draft goes; it was taken or it lost.
/// 5. ENDED, login's home: the row goes.
///
/// Until step 3 the anonymous draft is the one that counts, from then on the login's.
///
/// Several may run the same takeover at once: the row's lock lets one of them make the choice, and the
/// row names the draft, so that whoever is late leaves another one alone, which the anonymous person
/// may have begun since.
final class Takeover {
  enum Step {
    BEGUN,
    FROZEN,
    APPLIED,
    WIPED,
    ENDED
  }

  private final Database database;
  private final PhotoPartStore photos;
  private final Consumer<Step> reached;
  private final DraftStore drafts = new DraftStore();
  private final TakeoverStore takeovers = new TakeoverStore();

  /// The listener hears of each step after its commit.
  Takeover(Database database, PhotoPartStore photos, Consumer<Step> reached) {
    this.database = database;
    this.photos = photos;
    this.reached = reached;
  }

  /// Takes the anonymous draft over, or goes on where a former attempt stopped. Answers the login's
  /// draft, or nothing when the choice was made before.
  Optional<DraftRow> run(TakeoverRow takeover, UUID newId, Instant now) {
    Optional<TakeoverRow> begun = database.inTransaction(tx -> takeovers.begin(tx, takeover, now));
    reached.accept(Step.BEGUN);
    if (begun.isEmpty()) {
      return run(takeover, newId, now);
    }
    Optional<DraftRow> chosen = complete(begun.get(), newId, now);
    return begun.get().isOf(takeover) ? chosen : run(takeover, newId, now);
  }

  private Optional<DraftRow> complete(TakeoverRow takeover, UUID newId, Instant now) {
    Optional<DraftRow> brought = database.inTransaction(tx -> freeze(tx, takeover));
    reached.accept(Step.FROZEN);
    Optional<DraftRow> chosen =
        database.inTransaction(tx -> apply(tx, takeover, brought, newId, now));
    reached.accept(Step.APPLIED);
    step(Step.WIPED, tx -> wipe(tx, takeover));
    step(Step.ENDED, tx -> takeovers.end(tx, takeover));
    return chosen;
  }

  /// A draft that another login was faster to freeze is not there for this one.
  private Optional<DraftRow> freeze(Tx tx, TakeoverRow takeover) throws SQLException {
    Optional<DraftRow> draft =
        drafts
            .lockCurrent(tx, takeover.anonymous())
            .filter(d -> takeover.mayTake(d.id()))
            .filter(d -> d.takenOverBy().orElse(takeover.owner()).equals(takeover.owner()));
    if (draft.isPresent()) {
      drafts.freeze(tx, draft.get(), takeover.owner());
    }
    return draft;
  }

  private Optional<DraftRow> apply(
      Tx tx, TakeoverRow takeover, Optional<DraftRow> brought, UUID newId, Instant now)
      throws SQLException {
    Optional<TakeoverRow> open =
        takeovers.lock(tx, takeover).filter(row -> row.isOf(takeover) && !row.applied());
    if (open.isEmpty() || brought.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> wanted = Optional.of(open.get().category()).filter(c -> !c.isEmpty());
    DraftRow draft =
        new OpenDraft(drafts, photos, takeover.owner(), wanted, newId, now).run(tx, brought);
    takeovers.applied(tx, takeover);
    return Optional.of(draft);
  }

  /// What this login has frozen is still the anonymous person's current draft: nobody could change it.
  private void wipe(Tx tx, TakeoverRow takeover) throws SQLException {
    Optional<DraftRow> frozen =
        drafts
            .lockCurrent(tx, takeover.anonymous())
            .filter(d -> takeover.mayTake(d.id()))
            .filter(d -> d.takenOverBy().equals(Optional.of(takeover.owner())));
    if (frozen.isPresent()) {
      drafts.delete(tx, new DraftKey(takeover.anonymous(), frozen.get().id()));
    }
  }

  @FunctionalInterface
  private interface Change {
    void run(Tx tx) throws SQLException;
  }

  private void step(Step step, Change change) {
    boolean done =
        database.inTransaction(
            tx -> {
              change.run(tx);
              return true;
            });
    if (done) {
      reached.accept(step);
    }
  }
}
