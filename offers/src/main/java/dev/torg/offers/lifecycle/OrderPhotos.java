package dev.torg.offers.lifecycle;

import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.util.List;

/// The photos in another order; the first is the one that lists show.
public record OrderPhotos(
    OfferId id, Caller caller, List<String> photos, PublishingTerms terms, long at)
    implements PhotoEditCommand {
  @Override
  public boolean change(PhotoList list) {
    return list.order(photos);
  }
}
