package dev.torg.offers.lifecycle;

import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.util.List;

/// Reorders the photos. Lists show the first one.
public record OrderPhotos(
    OfferId id, Caller caller, List<String> photos, PublishingTerms terms, long at)
    implements PhotoEditCommand {
  @Override
  public boolean change(PhotoList list) {
    return list.order(photos);
  }
}
