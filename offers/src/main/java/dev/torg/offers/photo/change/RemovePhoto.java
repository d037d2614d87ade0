package dev.torg.offers.photo.change;

import dev.torg.offers.life.Terms;
import dev.torg.offers.photo.PhotoList;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;

/// The offer shows the photo no more; what is being prepared for it will be dropped.
record RemovePhoto(OfferId id, Caller caller, String photo, Terms terms, long at)
    implements Photographing {
  @Override
  public boolean change(PhotoList photos) {
    photos.remove(photo);
    return true;
  }
}
