package dev.torg.offers.photo.prepare;

import com.google.protobuf.ByteString;
import dev.torg.api.v1.Photo.Status;
import dev.torg.api.v1.PhotoEvent;
import dev.torg.api.v1.PhotoRequest;
import dev.torg.api.v1.PhotoSizes;
import dev.torg.offers.photo.PhotoIds;
import dev.torg.offers.photo.image.PhotoSize;
import dev.torg.offers.photo.prepare.PhotoStore.PhotoOutcome;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.outbox.OutboxMessage;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/// Says on `torg.photos` what has become of a photo.
final class PhotoAnswerEvents {
  static final String TOPIC = "torg.photos";

  /// Photos of one offer that are answered in the same microsecond must not meet in the outbox; their
  /// order among each other means nothing.
  private static final int SEQ_SPREAD = 1_000;

  private final String baseUrl;

  PhotoAnswerEvents(String baseUrl) {
    this.baseUrl = baseUrl;
  }

  OutboxMessage to(PhotoRequest request, PhotoOutcome made) {
    long at = EpochMicros.of(made.at());
    PhotoEvent.Builder event =
        PhotoEvent.newBuilder()
            .setPhotoId(request.getPhotoId())
            .setOfferId(request.getOfferId())
            .setStatus(made.status())
            .setError(made.error())
            .setPassing(made.retryable())
            .setAt(EpochMicros.timestamp(at));
    if (request.hasDraft()) {
      event.setDraft(request.getDraft());
    }
    if (made.status() == Status.READY) {
      event
          .setSizes(sizes(request.getPhotoId()))
          .setContent(ByteString.copyFrom(HexFormat.of().parseHex(made.content())));
    }
    return new OutboxMessage(
        PhotoIds.home(request.getPhotoId()),
        at + ThreadLocalRandom.current().nextInt(SEQ_SPREAD),
        TOPIC,
        target(request),
        event.build().toByteArray());
  }

  /// The offer or draft that the request is for; empty for a removal.
  static String target(PhotoRequest request) {
    return request.hasDraft() ? request.getDraft().getId() : request.getOfferId();
  }

  private PhotoSizes sizes(String photo) {
    return PhotoSizes.newBuilder()
        .setThumb(address(photo, PhotoSize.THUMB))
        .setCard(address(photo, PhotoSize.CARD))
        .setFull(address(photo, PhotoSize.FULL))
        .build();
  }

  private String address(String photo, PhotoSize size) {
    return baseUrl + "/photos/" + photo + "/" + size.key();
  }
}
