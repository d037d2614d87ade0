package dev.torg.offers.lifecycle;

import dev.torg.offers.part.ModerationPart;
import dev.torg.offers.part.PhotosPart;
import java.util.Optional;

/// What a command decides from: everything read under the lock of the main row. The parts are
/// only read for commands that ask for them, the draft only for the publication of one.
public record Situation(
    Optional<StoredOffer> offer,
    ModerationPart moderation,
    PhotosPart photos,
    Optional<PublishableDraft> draft) {

  public StoredOffer existing() {
    return offer.orElseThrow(OfferAccess::notFound);
  }
}
