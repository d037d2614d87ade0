package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Opinion;
import dev.torg.offers.part.ModerationPart;
import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.part.PhotosPart;
import dev.torg.offers.part.PromotionsPart;
import dev.torg.platform.Money;
import java.util.List;
import java.util.Optional;

/// What a command changes in addition to the offer itself, in the same transaction.
public sealed interface Effect {
  /// A sale through Torg, counted once per offer at its price.
  record Sold(Optional<Money> price) implements Effect {}

  /// A moderator's opinion for the record, whether it was applied, and the resulting part.
  record OpinionRecorded(Opinion opinion, boolean applied, ModerationPart part) implements Effect {}

  /// The offer waits for a moderator.
  record Enqueued(Cause cause) implements Effect {}

  /// The offer leaves the moderation queue.
  record Dequeued() implements Effect {}

  /// The photos have changed: the resulting part, the photos to prepare, the ids of photos no longer shown,
  /// and whether a feed made the change.
  record PhotosChanged(
      PhotosPart part, List<PhotoSource> requested, List<String> removed, boolean fed)
      implements Effect {
    public PhotosChanged(PhotosPart part, List<PhotoSource> requested, List<String> removed) {
      this(part, requested, removed, false);
    }
  }

  /// The resulting part after an event about the offer's promotions.
  record PromotionsChanged(PromotionsPart part) implements Effect {}

  /// A photo requested by this task of the seller's feed has failed.
  record PhotoFailed(long feedTask) implements Effect {}

  record DraftPublished(DraftKey draft) implements Effect {}

  /// Why an offer is in the moderators' queue, with its bit in the database.
  enum Cause {
    PENDING(1),
    EDITED(2),
    REPORTED(4);

    private final int bit;

    Cause(int bit) {
      this.bit = bit;
    }

    public int bit() {
      return bit;
    }
  }
}
