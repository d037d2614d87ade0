package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.HIDDEN;
import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.TERMS;
import static dev.torg.offers.lifecycle.OfferSituations.change;
import static dev.torg.offers.lifecycle.OfferSituations.effect;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.outcome;
import static dev.torg.offers.lifecycle.OfferSituations.queue;
import static dev.torg.offers.lifecycle.OfferSituations.source;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.Photo.Status;
import dev.torg.api.v1.PhotoEvent;
import dev.torg.api.v1.PhotoSizes;
import dev.torg.offers.part.PhotoSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ApplyPhotoAnswerTest {
  private static final PhotoSizes SIZES = PhotoSizes.newBuilder().setThumb("/t").build();
  private static final ByteString CONTENT = ByteString.copyFromUtf8("sha");

  /// The status after a photo became ready, whether it is shown, and the moderators' queue.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    phones, ACTIVE,    true,  ''",
    "PENDING,   phones, PENDING,   true,  ''",
    "WITHDRAWN, phones, WITHDRAWN, true,  ''",
    "EXPIRED,   phones, EXPIRED,   true,  ''",
    "BANNED,    phones, BANNED,    true,  EDITED",
    "SOLD,      phones, SOLD,      true,  ''",
    "REMOVED,   phones, REMOVED,   true,  ''",
    "ACTIVE,    pets,   PENDING,   true,  PENDING EDITED",
    "PENDING,   pets,   PENDING,   true,  ''",
    "WITHDRAWN, pets,   WITHDRAWN, true,  ''",
    "EXPIRED,   pets,   PENDING,   true,  PENDING EDITED",
    "BANNED,    pets,   BANNED,    true,  EDITED",
    "SOLD,      pets,   SOLD,      false, ''",
    "REMOVED,   pets,   REMOVED,   true,  ''",
    "ACTIVE,    jobs,   ACTIVE,    true,  EDITED",
    "EXPIRED,   jobs,   EXPIRED,   true,  EDITED",
    "BANNED,    jobs,   BANNED,    true,  EDITED",
    "SOLD,      jobs,   SOLD,      true,  EDITED",
  })
  void decide_ready_isReviewedLikeAnEdit(
      Offer.Status status, String category, Offer.Status expected, boolean shown, String queue) {
    Situation situation = waiting(status, category, 0).situation();
    Decision.Change change = change(ready(NOW), situation);
    assertThat(change.after().getStatus()).isEqualTo(expected);
    assertThat(queue(change)).isEqualTo(queue);
    assertThat(change.after().getPhotosCount()).isEqualTo(shown ? 1 : 0);
    assertThat(change.edited()).isEqualTo(shown);
    assertThat(effect(change, Effect.PhotosChanged.class).removed()).hasSize(shown ? 0 : 1);
  }

  @Test
  void decide_ready_showsSizesAndKeepsSource() {
    Decision.Change change =
        change(ready(NOW - 5), waiting(Offer.Status.ACTIVE, "phones", 7).situation());
    assertThat(change.after().getPhotosList())
        .containsExactly(
            Photo.newBuilder().setId("p").setStatus(Status.READY).setSizes(SIZES).build());
    Effect.PhotosChanged photosChanged = effect(change, Effect.PhotosChanged.class);
    assertThat(photosChanged.part().getPhotosList())
        .containsExactly(
            source("p").setFeedTask(7).setAnsweredAt(NOW - 5).setContent(CONTENT).build());
    assertThat(photosChanged.requested()).isEmpty();
    assertThat(photosChanged.fed()).isFalse();
    assertThat(change.effects()).hasSize(1);
  }

  /// A failed photo shows nothing new; only a banned offer is queued after every change.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE, phones, ACTIVE, ''",
    "ACTIVE, pets,   ACTIVE, ''",
    "SOLD,   pets,   SOLD,   ''",
    "BANNED, phones, BANNED, EDITED",
  })
  void decide_failed_doesNotCountAsEdit(
      Offer.Status status, String category, Offer.Status expected, String queue) {
    Decision.Change change = change(failed(NOW), waiting(status, category, 0).situation());
    assertThat(change.after().getStatus()).isEqualTo(expected);
    assertThat(change.after().getPhotos(0).getError()).isEqualTo("unreachable");
    assertThat(change.edited()).isFalse();
    assertThat(queue(change)).isEqualTo(queue);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "7, true"})
  void decide_failed_isCountedOfAFeed(long task, boolean counted) {
    Decision.Change change =
        change(failed(NOW), waiting(Offer.Status.ACTIVE, "phones", task).situation());
    assertThat(change.effects().contains(new Effect.PhotoFailed(task))).isEqualTo(counted);
    PhotoSource source = effect(change, Effect.PhotosChanged.class).part().getPhotos(0);
    assertThat(source.getPassing()).isTrue();
    assertThat(source.getAnsweredAt()).isEqualTo(NOW);
  }

  @Test
  void decide_answerThatChangesNothing_keepsTheOffer() {
    Situation removed = offer(Offer.Status.ACTIVE).in(HIDDEN).situation();
    assertThat(outcome(ready(NOW), removed)).isEqualTo("unchanged");
    Photo shown = Photo.newBuilder().setId("p").setStatus(Status.READY).setSizes(SIZES).build();
    Situation answered =
        offer(Offer.Status.ACTIVE)
            .in(HIDDEN)
            .photo(shown, source("p").setAnsweredAt(NOW).build())
            .situation();
    assertThat(outcome(ready(NOW), answered)).isEqualTo("unchanged");
    assertThat(outcome(ready(NOW + 1), answered)).isEqualTo("unchanged");
    assertThat(outcome(failed(NOW - 1), answered)).isEqualTo("unchanged");
    assertThat(outcome(failed(NOW), answered)).isEqualTo("ACTIVE");
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"READY", "FAILED"})
  void decide_noSuchOffer_isNotFound(Status status) {
    ApplyPhotoAnswer answer = status == Status.READY ? ready(NOW) : failed(NOW);
    assertThat(outcome(answer, OfferSituations.none())).isEqualTo("offer.not-found");
    assertThat(answer.needsPhotos()).isTrue();
  }

  /// One pending photo.
  private static OfferSituations waiting(Offer.Status status, String category, long task) {
    Photo pending = Photo.newBuilder().setId("p").setStatus(Status.PENDING).build();
    return offer(status)
        .in(category)
        .judgedVersion(5)
        .photo(pending, source("p").setFeedTask(task).build());
  }

  private static ApplyPhotoAnswer ready(long at) {
    PhotoEvent.Builder event =
        PhotoEvent.newBuilder().setStatus(Status.READY).setSizes(SIZES).setContent(CONTENT);
    return answer(event, at);
  }

  private static ApplyPhotoAnswer failed(long at) {
    PhotoEvent.Builder event =
        PhotoEvent.newBuilder().setStatus(Status.FAILED).setError("unreachable").setPassing(true);
    return answer(event, at);
  }

  private static ApplyPhotoAnswer answer(PhotoEvent.Builder event, long at) {
    return new ApplyPhotoAnswer(ID, event.setPhotoId("p").build(), at, TERMS, NOW);
  }
}
