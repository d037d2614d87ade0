package dev.torg.offers.draft;

import dev.torg.offers.draft.TakeoverStore.TakeoverRow;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.TransactionAction;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/// Moves an anonymous draft to a login, across homes, keeping its id.
///
/// Each step is one idempotent transaction in one home. An interrupted takeover is completed when the login
/// opens a draft next, or by [CompleteTakeoversJob].
///
/// 1. BEGUN, login's home: the row of the takeover.
/// 2. FROZEN, anonymous home: the draft can be read but no longer changed, so the next decision stays
///    valid.
/// 3. APPLIED, login's home: the choice between both drafts is made and applied, once.
/// 4. WIPED, anonymous home: the frozen draft is deleted, whether it was chosen or not.
/// 5. ENDED, login's home: the row is deleted.
///
/// Until step 3 the anonymous draft is authoritative, from then on the login's.
///
/// Concurrent runs of one takeover are safe: the row's lock lets one of them make the choice, and the row
/// contains the draft's id, so a late run does not touch a newer draft of the anonymous user.
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

  /// @param reached called after the commit of each step
  Takeover(Database database, PhotoPartStore photos, Consumer<Step> reached) {
    this.database = database;
    this.photos = photos;
    this.reached = reached;
  }

  /// Runs the takeover or resumes an interrupted one. Returns the login's draft, or empty if the choice was
  /// made before.
  Optional<DraftRow> run(TakeoverRow takeover, UUID newId, Instant now) {
    Optional<TakeoverRow> current =
        database.inTransaction(tx -> takeovers.begin(tx, takeover, now));
    reached.accept(Step.BEGUN);
    if (current.isEmpty()) {
      return run(takeover, newId, now);
    }
    Optional<DraftRow> draft = complete(current.get(), newId, now);
    return current.get().isOf(takeover) ? draft : run(takeover, newId, now);
  }

  private Optional<DraftRow> complete(TakeoverRow takeover, UUID newId, Instant now) {
    Optional<DraftRow> anonymousDraft = database.inTransaction(tx -> freeze(tx, takeover));
    reached.accept(Step.FROZEN);
    Optional<DraftRow> draft =
        database.inTransaction(tx -> apply(tx, takeover, anonymousDraft, newId, now));
    reached.accept(Step.APPLIED);
    step(Step.WIPED, tx -> wipe(tx, takeover));
    step(Step.ENDED, tx -> takeovers.end(tx, takeover));
    return draft;
  }

  /// Empty if another login froze the draft first.
  private Optional<DraftRow> freeze(Tx tx, TakeoverRow takeover) throws SQLException {
    Optional<DraftRow> draft =
        drafts
            .lockCurrent(tx, takeover.anonymous())
            .filter(d -> takeover.includes(d.id()))
            .filter(d -> d.takenOverBy().orElse(takeover.owner()).equals(takeover.owner()));
    if (draft.isPresent()) {
      drafts.freeze(tx, draft.get(), takeover.owner());
    }
    return draft;
  }

  private Optional<DraftRow> apply(
      Tx tx, TakeoverRow takeover, Optional<DraftRow> anonymousDraft, UUID newId, Instant now)
      throws SQLException {
    Optional<TakeoverRow> open =
        takeovers.lock(tx, takeover).filter(row -> row.isOf(takeover) && !row.applied());
    if (open.isEmpty() || anonymousDraft.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> category = Optional.of(open.get().category()).filter(c -> !c.isEmpty());
    DraftRow draft =
        new OpenDraft(drafts, photos, takeover.owner(), category, newId, now)
            .run(tx, anonymousDraft);
    takeovers.applied(tx, takeover);
    return Optional.of(draft);
  }

  /// The draft frozen by this login is still the anonymous user's current draft, since a frozen draft
  /// cannot be changed.
  private void wipe(Tx tx, TakeoverRow takeover) throws SQLException {
    Optional<DraftRow> frozen =
        drafts
            .lockCurrent(tx, takeover.anonymous())
            .filter(d -> takeover.includes(d.id()))
            .filter(d -> d.takenOverBy().equals(Optional.of(takeover.owner())));
    if (frozen.isPresent()) {
      drafts.delete(tx, new DraftKey(takeover.anonymous(), frozen.get().id()));
    }
  }

  private void step(Step step, TransactionAction action) {
    database.transact(action);
    reached.accept(step);
  }
}
