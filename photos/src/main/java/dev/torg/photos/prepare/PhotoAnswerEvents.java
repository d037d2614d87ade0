package dev.torg.photos.prepare;

import com.google.protobuf.ByteString;
import dev.torg.api.v1.Photo.Status;
import dev.torg.api.v1.PhotoEvent;
import dev.torg.api.v1.PhotoRequest;
import dev.torg.api.v1.PhotoSizes;
import dev.torg.photos.PhotoIds;
import dev.torg.photos.PhotoTopics;
import dev.torg.photos.image.PhotoSize;
import dev.torg.photos.prepare.PhotoStore.PhotoOutcome;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.platform.outbox.OutboxSequence;
import java.util.HexFormat;

/// Creates the answers on [PhotoTopics#ANSWERS].
final class PhotoAnswerEvents {
  private final String baseUrl;

  PhotoAnswerEvents(String baseUrl) {
    this.baseUrl = baseUrl;
  }

  OutboxMessage to(PhotoRequest request, PhotoOutcome outcome) {
    long at = EpochMicros.of(outcome.at());
    PhotoEvent.Builder event =
        PhotoEvent.newBuilder()
            .setPhotoId(request.getPhotoId())
            .setOfferId(request.getOfferId())
            .setStatus(outcome.status())
            .setError(outcome.error())
            .setPassing(outcome.retryable())
            .setAt(EpochMicros.timestamp(at));
    if (request.hasDraft()) {
      event.setDraft(request.getDraft());
    }
    if (outcome.status() == Status.READY) {
      event
          .setSizes(sizes(request.getPhotoId()))
          .setContent(ByteString.copyFrom(HexFormat.of().parseHex(outcome.content())));
    }
    return new OutboxMessage(
        PhotoIds.home(request.getPhotoId()),
        OutboxSequence.withRandomOffset(at),
        PhotoTopics.ANSWERS,
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
