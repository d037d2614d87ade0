package dev.torg.offers.lifecycle;

import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;

/// The offer shows the photo no more; what is being prepared for it will be dropped.
public record RemovePhoto(OfferId id, Caller caller, String photo, PublishingTerms terms, long at)
    implements PhotoEditCommand {
  @Override
  public boolean change(PhotoList photos) {
    photos.remove(photo);
    return true;
  }
}
