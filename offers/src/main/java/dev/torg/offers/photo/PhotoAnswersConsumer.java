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

/// Turns the answers on `torg.photos` into what offers and drafts show. An answer that cannot be read,
/// or that names no offer, fails and is parked.
public final class PhotoAnswersConsumer implements EventHandler {
  public static final String TOPIC = "torg.photos";

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

  /// Answers about one offer keep their order: the writer decides them as they come.
  @Override
  public void handle(List<Event> events) throws Exception {
    List<CompletableFuture<?>> heard = new ArrayList<>();
    for (Event event : events) {
      PhotoEvent answer = checked(PhotoEvent.parseFrom(event.payload()));
      heard.add(apply(answer, at(answer, event)));
    }
    for (CompletableFuture<?> one : heard) {
      await(one);
    }
  }

  private CompletableFuture<?> apply(PhotoEvent answer, long at) {
    if (answer.hasDraft()) {
      return drafts.answer(
          DraftKey.parse(answer.getDraft().getOwner(), answer.getDraft().getId()), answer, at);
    }
    long now = EpochMicros.of(clock.instant());
    return writer.apply(
        new ApplyPhotoAnswer(OfferId.parse(answer.getOfferId()), answer, at, terms, now));
  }

  /// Whose clock is ahead does not have the last word for long.
  private long at(PhotoEvent answer, Event event) {
    long said = answer.hasAt() ? EpochMicros.of(answer.getAt()) : EpochMicros.of(event.at());
    return Math.min(said, EpochMicros.of(clock.instant()));
  }

  private static PhotoEvent checked(PhotoEvent answer) {
    boolean good =
        answer.getStatus() == Status.READY
            ? hasAll(answer.getSizes())
            : answer.getStatus() == Status.FAILED
                && isText(answer.getError(), MAX_ERROR)
                && !answer.getError().isBlank();
    if (!good) {
      throw Failure.invalid(
          "photo-answer.invalid",
          "an answer must be READY with the addresses of all sizes, or FAILED with a reason",
          List.of());
    }
    return answer;
  }

  private static boolean hasAll(PhotoSizes sizes) {
    return List.of(sizes.getThumb(), sizes.getCard(), sizes.getFull()).stream()
        .allMatch(address -> !address.isEmpty() && isText(address, MAX_ADDRESS));
  }

  private static boolean isText(String text, int most) {
    return text.length() <= most && Violations.isReadable(text);
  }

  private static void await(CompletableFuture<?> one) throws Exception {
    try {
      one.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
