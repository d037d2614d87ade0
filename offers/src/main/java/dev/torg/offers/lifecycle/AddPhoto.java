package dev.torg.offers.lifecycle;

import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.util.Optional;

/// Appends a photo, given by its address or uploaded before.
public record AddPhoto(
    OfferId id, Caller caller, String photo, Optional<String> url, PublishingTerms terms, long at)
    implements PhotoEditCommand {
  @Override
  public boolean change(PhotoList photos) {
    photos.add(photo, url);
    return true;
  }
}
