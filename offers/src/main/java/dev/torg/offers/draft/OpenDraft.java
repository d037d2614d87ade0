package dev.torg.offers.draft;

import dev.torg.offers.life.DraftKey;
import dev.torg.offers.life.Micros;
import dev.torg.offers.photo.PhotoList;
import dev.torg.offers.photo.PhotoRequests;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/// Gives an owner the one current draft, in one transaction in the owner's home. The id of a new one
/// and the time are fixed before the first attempt. Whoever finds that a rival was faster to claim the
/// owner's row in `current_draft` chooses again, with the rival's draft in view.
record OpenDraft(
    DraftStore drafts,
    PhotoRequests photos,
    String owner,
    Optional<String> wanted,
    UUID newId,
    Instant now) {

  /// With the draft that the owner brought along, if any; it is read elsewhere and left as it is.
  DraftRow run(Tx tx, Optional<DraftRow> brought) throws SQLException {
    Optional<DraftRow> own = drafts.lockCurrent(tx, owner);
    DraftChoice choice = DraftChoice.between(own, brought, wanted);
    return switch (choice.winner()) {
      case NEW -> created(tx, brought);
      case OWN -> kept(tx, own.orElseThrow(), choice);
      case BROUGHT -> taken(tx, own, brought.orElseThrow(), choice);
    };
  }

  private DraftRow created(Tx tx, Optional<DraftRow> brought) throws SQLException {
    if (!drafts.claimCurrent(tx, owner, newId)) {
      return run(tx, brought);
    }
    DraftRow draft = DraftRow.empty(newId, owner, wanted.orElse(""), now);
    drafts.save(tx, draft);
    return draft;
  }

  private DraftRow kept(Tx tx, DraftRow own, DraftChoice choice) throws SQLException {
    if (!choice.reset()) {
      return own;
    }
    DraftRow reset = own.reset(wanted.orElse(""), now);
    drafts.save(tx, reset);
    return reset;
  }

  private DraftRow taken(Tx tx, Optional<DraftRow> own, DraftRow brought, DraftChoice choice)
      throws SQLException {
    if (own.isPresent()) {
      drafts.delete(tx, new DraftKey(owner, own.get().id()));
    }
    if (!drafts.claimCurrent(tx, owner, brought.id())) {
      return run(tx, Optional.of(brought));
    }
    DraftRow mine = brought.ownedBy(owner);
    DraftRow draft = choice.reset() ? mine.reset(wanted.orElse(""), now) : mine;
    drafts.save(tx, draft);
    requestPending(tx, draft);
    return draft;
  }

  /// Answers to the anonymous draft find it no more.
  private void requestPending(Tx tx, DraftRow draft) throws SQLException {
    PhotoList list = draft.photoList();
    list.requestPending();
    photos.ask(tx, draft.key(), list.requested(), Micros.of(now));
  }
}
