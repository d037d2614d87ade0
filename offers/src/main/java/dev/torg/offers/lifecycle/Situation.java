package dev.torg.offers.lifecycle;

import dev.torg.offers.part.ModerationPart;
import dev.torg.offers.part.PhotosPart;
import dev.torg.offers.part.PromotionsPart;
import java.util.Optional;

/// The input of a decision: everything read under the lock of the main row. Parts are read only for
/// commands that need them, the draft only for its publication.
public record Situation(
    Optional<StoredOffer> offer,
    ModerationPart moderation,
    PhotosPart photos,
    PromotionsPart promotions,
    Optional<PublishableDraft> draft) {

  public StoredOffer existing() {
    return offer.orElseThrow(OfferAccess::notFound);
  }
}
