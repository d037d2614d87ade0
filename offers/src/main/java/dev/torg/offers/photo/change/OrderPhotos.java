package dev.torg.offers.photo.change;

import dev.torg.offers.life.Terms;
import dev.torg.offers.photo.PhotoList;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.util.List;

/// The photos in another order; the first is the one that lists show.
record OrderPhotos(OfferId id, Caller caller, List<String> photos, Terms terms, long at)
    implements Photographing {
  @Override
  public boolean change(PhotoList list) {
    return list.order(photos);
  }
}
