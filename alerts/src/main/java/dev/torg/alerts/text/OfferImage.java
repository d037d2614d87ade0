package dev.torg.alerts.text;

import dev.torg.api.v1.Attachment;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import java.util.Optional;

/// The image that represents an offer in notifications.
public final class OfferImage {
  private OfferImage() {}

  public static Optional<Photo> firstPhoto(Offer offer) {
    return offer.getPhotosList().stream()
        .filter(photo -> photo.getStatus() == Photo.Status.READY)
        .findFirst();
  }

  static Attachment attachment(Photo ready, OpenLinks links) {
    return Attachment.newBuilder()
        .setKind(Attachment.Kind.IMAGE)
        .setUrl(links.image(ready.getSizes().getFull()))
        .setPreview(links.image(ready.getSizes().getCard()))
        .build();
  }
}
