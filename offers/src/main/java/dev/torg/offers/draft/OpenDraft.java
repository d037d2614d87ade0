package dev.torg.offers.draft;

import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.PhotoList;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/// Opens the owner's current draft, in one transaction in the owner's home. The id of a new draft and the
/// time are fixed before the first attempt. If a concurrent transaction claims the owner's row in
/// `current_draft` first, the choice is repeated with its draft.
record OpenDraft(
    DraftStore drafts,
    PhotoPartStore photos,
    String owner,
    Optional<String> category,
    UUID newId,
    Instant now) {

  /// @param anonymousDraft the owner's anonymous draft, if any; it is read elsewhere and not changed here
  DraftRow run(Tx tx, Optional<DraftRow> anonymousDraft) throws SQLException {
    Optional<DraftRow> own = drafts.lockCurrent(tx, owner);
    DraftChoice choice = DraftChoice.between(own, anonymousDraft, category);
    return switch (choice.winner()) {
      case NEW -> created(tx, anonymousDraft);
      case OWN -> {
        if (anonymousDraft.isPresent()) {
          removePhotos(tx, anonymousDraft.get());
        }
        yield openOwn(tx, own.orElseThrow(), choice);
      }
      case ANONYMOUS -> takeOverAnonymous(tx, own, anonymousDraft.orElseThrow(), choice);
    };
  }

  private DraftRow created(Tx tx, Optional<DraftRow> anonymousDraft) throws SQLException {
    if (!drafts.claimCurrent(tx, owner, newId)) {
      return run(tx, anonymousDraft);
    }
    DraftRow draft = DraftRow.empty(newId, owner, category.orElse(""), now);
    drafts.save(tx, draft);
    return draft;
  }

  private DraftRow openOwn(Tx tx, DraftRow own, DraftChoice choice) throws SQLException {
    if (!choice.reset()) {
      return own;
    }
    DraftRow reset = own.reset(category.orElse(""), now);
    drafts.save(tx, reset);
    removePhotos(tx, own);
    return reset;
  }

  private DraftRow takeOverAnonymous(
      Tx tx, Optional<DraftRow> own, DraftRow anonymousDraft, DraftChoice choice)
      throws SQLException {
    if (own.isPresent()) {
      drafts.delete(tx, new DraftKey(owner, own.get().id()));
      removePhotos(tx, own.get());
    }
    if (!drafts.claimCurrent(tx, owner, anonymousDraft.id())) {
      return run(tx, Optional.of(anonymousDraft));
    }
    DraftRow adopted = anonymousDraft.ownedBy(owner);
    DraftRow draft = choice.reset() ? adopted.reset(category.orElse(""), now) : adopted;
    drafts.save(tx, draft);
    if (choice.reset()) {
      removePhotos(tx, adopted);
    }
    requestPending(tx, draft);
    return draft;
  }

  /// Photos are removed with the draft that showed them.
  private void removePhotos(Tx tx, DraftRow draft) throws SQLException {
    photos.requestRemoval(tx, Home.of(owner), draft.photoIds(), EpochMicros.of(now));
  }

  /// Answers addressed to the anonymous draft are dropped, so its pending photos are requested again.
  private void requestPending(Tx tx, DraftRow draft) throws SQLException {
    PhotoList list = draft.photoList();
    list.requestPending();
    photos.request(tx, draft.key(), list.requested(), EpochMicros.of(now));
  }
}
