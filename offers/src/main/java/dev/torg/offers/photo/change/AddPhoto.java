package dev.torg.offers.photo.change;

import dev.torg.offers.life.Terms;
import dev.torg.offers.photo.PhotoList;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.util.Optional;

/// Adds a photo at the end, from an address or uploaded before.
record AddPhoto(OfferId id, Caller caller, String photo, Optional<String> url, Terms terms, long at)
    implements Photographing {
  @Override
  public boolean change(PhotoList photos) {
    photos.add(photo, url);
    return true;
  }
}
