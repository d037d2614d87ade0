package dev.torg.offers.photo;

import dev.torg.api.v1.Photo.Status;
import dev.torg.api.v1.PhotoEvent;
import dev.torg.api.v1.PhotoSizes;
import dev.torg.offers.category.Violations;
import dev.torg.offers.draft.DraftPhotos;
import dev.torg.offers.lifecycle.ApplyPhotoAnswer;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.PublishingTerms;
import dev.torg.offers.store.OfferWriter;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Applies the answers on [PhotoTopics#ANSWERS] to offers and drafts. An answer that cannot be parsed or
/// refers to an unknown offer fails and is parked.
public final class PhotoAnswersConsumer implements EventHandler {
  private static final int MAX_ERROR = 500;
  private static final int MAX_ADDRESS = 2_000;

  private final OfferWriter writer;
  private final DraftPhotos drafts;
  private final PublishingTerms terms;
  private final InstantSource clock;

  public PhotoAnswersConsumer(
      OfferWriter writer, DraftPhotos drafts, PublishingTerms terms, InstantSource clock) {
    this.writer = writer;
    this.drafts = drafts;
    this.terms = terms;
    this.clock = clock;
  }

  /// Answers about one offer keep their order: the writer decides them in the order of submission.
  @Override
  public void handle(List<Event> events) throws Exception {
    List<CompletableFuture<?>> applied = new ArrayList<>();
    for (Event event : events) {
      PhotoEvent photoEvent = checked(PhotoEvent.parseFrom(event.payload()));
      applied.add(apply(photoEvent, at(photoEvent, event)));
    }
    for (CompletableFuture<?> result : applied) {
      await(result);
    }
  }

  private CompletableFuture<?> apply(PhotoEvent photoEvent, long at) {
    if (photoEvent.hasDraft()) {
      return drafts.applyAnswer(
          DraftKey.parse(photoEvent.getDraft().getOwner(), photoEvent.getDraft().getId()),
          photoEvent,
          at);
    }
    long now = EpochMicros.of(clock.instant());
    return writer.apply(
        new ApplyPhotoAnswer(OfferId.parse(photoEvent.getOfferId()), photoEvent, at, terms, now));
  }

  /// Limited to the current time: an answer from a clock that is ahead must not supersede later ones.
  private long at(PhotoEvent photoEvent, Event event) {
    long answeredAt =
        photoEvent.hasAt() ? EpochMicros.of(photoEvent.getAt()) : EpochMicros.of(event.at());
    return Math.min(answeredAt, EpochMicros.of(clock.instant()));
  }

  private static PhotoEvent checked(PhotoEvent photoEvent) {
    boolean valid =
        photoEvent.getStatus() == Status.READY
            ? hasAll(photoEvent.getSizes())
            : photoEvent.getStatus() == Status.FAILED
                && isText(photoEvent.getError(), MAX_ERROR)
                && !photoEvent.getError().isBlank();
    if (!valid) {
      throw Failure.invalid(
          "photo-answer.invalid",
          "an answer must be READY with the addresses of all sizes, or FAILED with a reason",
          List.of());
    }
    return photoEvent;
  }

  private static boolean hasAll(PhotoSizes sizes) {
    return List.of(sizes.getThumb(), sizes.getCard(), sizes.getFull()).stream()
        .allMatch(address -> !address.isEmpty() && isText(address, MAX_ADDRESS));
  }

  private static boolean isText(String text, int maxLength) {
    return text.length() <= maxLength && Violations.isReadable(text);
  }

  private static void await(CompletableFuture<?> result) throws Exception {
    try {
      result.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
