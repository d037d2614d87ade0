package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Opinion;
import dev.torg.offers.part.ModerationPart;
import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.part.PhotosPart;
import dev.torg.platform.Money;
import java.util.List;
import java.util.Optional;

/// What a command changes in addition to the offer itself, in the same transaction.
public sealed interface Effect {
  /// Sold through Torg; counted once an offer, for what it earned.
  record Sold(Optional<Money> price) implements Effect {}

  /// A moderator's opinion for the record, whether it had an effect, and the part it left.
  record OpinionRecorded(Opinion opinion, boolean applied, ModerationPart part) implements Effect {}

  /// The offer waits for a moderator.
  record Enqueued(Cause cause) implements Effect {}

  /// Nothing is left for a moderator to do.
  record Dequeued() implements Effect {}

  /// The photos have changed: the part they left, what has to be prepared, the ids of what is shown no
  /// more, and whether a feed did it.
  record PhotosChanged(
      PhotosPart part, List<PhotoSource> requested, List<String> removed, boolean fed)
      implements Effect {
    public PhotosChanged(PhotosPart part, List<PhotoSource> requested, List<String> removed) {
      this(part, requested, removed, false);
    }
  }

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
