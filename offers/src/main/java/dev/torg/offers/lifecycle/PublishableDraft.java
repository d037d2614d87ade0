package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;
import java.util.Optional;

/// A draft locked for publication, with the sources of its photos, if any. The offer is present if the
/// draft was published before.
public record PublishableDraft(
    Offer content, Optional<Effect.PhotosChanged> photos, Optional<OfferId> offer) {

  public PublishableDraft publishedAs(OfferId created) {
    return new PublishableDraft(content, photos, Optional.of(created));
  }
}
