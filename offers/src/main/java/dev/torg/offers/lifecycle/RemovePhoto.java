package dev.torg.offers.lifecycle;

import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;

/// Removes a photo from the offer. If it is still being prepared, its answer will be dropped.
public record RemovePhoto(OfferId id, Caller caller, String photo, PublishingTerms terms, long at)
    implements PhotoEditCommand {
  @Override
  public boolean change(PhotoList photos) {
    photos.remove(photo);
    return true;
  }
}
