package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.MODERATOR;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.OTHER_USER;
import static dev.torg.offers.lifecycle.OfferSituations.OWNER;
import static dev.torg.offers.lifecycle.OfferSituations.TERMS;
import static dev.torg.offers.lifecycle.OfferSituations.change;
import static dev.torg.offers.lifecycle.OfferSituations.effect;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.outcome;
import static dev.torg.offers.lifecycle.OfferSituations.queue;
import static dev.torg.offers.lifecycle.OfferSituations.source;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Photo;
import dev.torg.offers.part.PhotoSource;
import dev.torg.platform.Caller;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhotoEditCommandTest {
  private static final String URL = "https://shop.example/new.jpg";

  /// The effect of adding a photo on the status and on the moderation queue.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    phones, ACTIVE,             ''",
    "PENDING,   phones, PENDING,            ''",
    "WITHDRAWN, phones, WITHDRAWN,          ''",
    "EXPIRED,   phones, EXPIRED,            ''",
    "BANNED,    phones, BANNED,             EDITED",
    "SOLD,      phones, offer.not-editable, ''",
    "REMOVED,   phones, offer.not-editable, ''",
    "ACTIVE,    pets,   PENDING,            PENDING EDITED",
    "EXPIRED,   pets,   PENDING,            PENDING EDITED",
    "PENDING,   pets,   PENDING,            ''",
    "WITHDRAWN, pets,   WITHDRAWN,          ''",
    "BANNED,    pets,   BANNED,             EDITED",
    "ACTIVE,    jobs,   ACTIVE,             EDITED",
  })
  void decide_add_isAnEdit(Status status, String category, String expected, String queue) {
    Situation situation = offer(status).in(category).judgedVersion(5).situation();
    assertThat(outcome(add(OWNER), situation)).isEqualTo(expected);
    if (!expected.startsWith("offer.")) {
      Decision.Change change = change(add(OWNER), situation);
      assertThat(queue(change)).isEqualTo(queue);
      assertThat(change.edited()).isTrue();
    }
  }

  /// They show no new content.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    phones, ACTIVE,             ''",
    "ACTIVE,    pets,   ACTIVE,             ''",
    "EXPIRED,   pets,   EXPIRED,            ''",
    "ACTIVE,    jobs,   ACTIVE,             ''",
    "BANNED,    phones, BANNED,             EDITED",
    "SOLD,      phones, offer.not-editable, ''",
    "REMOVED,   phones, offer.not-editable, ''",
  })
  void decide_removeAndOrder_areReviewedOfABannedOfferOnly(
      Status status, String category, String expected, String queue) {
    Situation situation = withPhotos(offer(status).in(category)).situation();
    for (OfferCommand command : List.of(remove(OWNER, "a"), order(OWNER, "b", "a"))) {
      assertThat(outcome(command, situation)).isEqualTo(expected);
      if (!expected.startsWith("offer.")) {
        Decision.Change change = change(command, situation);
        assertThat(queue(change)).isEqualTo(queue);
        assertThat(change.edited()).isFalse();
      }
    }
  }

  @Test
  void decide_add_isPendingAtTheEndAndRequested() {
    Situation situation = withPhotos(offer(Status.ACTIVE)).situation();
    Decision.Change change = change(add(OWNER), situation);
    assertThat(change.after().getPhotosList())
        .extracting(Photo::getId)
        .containsExactly("a", "b", "new");
    assertThat(change.after().getPhotos(2).getStatus()).isEqualTo(Photo.Status.PENDING);
    PhotoSource added = PhotoSource.newBuilder().setId("new").setUrl(URL).build();
    Effect.PhotosChanged photosChanged = effect(change, Effect.PhotosChanged.class);
    assertThat(photosChanged.requested()).containsExactly(added);
    assertThat(photosChanged.part().getPhotosList())
        .containsExactly(source("a").build(), source("b").build(), added);
    assertThat(photosChanged.fed()).isFalse();
  }

  @Test
  void decide_addUploaded_hasNoAddress() {
    AddPhoto upload = new AddPhoto(ID, OWNER, "new", Optional.empty(), TERMS, NOW);
    Decision.Change change = change(upload, offer(Status.ACTIVE).situation());
    assertThat(effect(change, Effect.PhotosChanged.class).requested())
        .containsExactly(PhotoSource.newBuilder().setId("new").build());
  }

  @Test
  void decide_addBeyondTheLimit_isRefused() {
    OfferSituations offer = offer(Status.ACTIVE);
    for (int i = 1; i < PhotoList.MAX_PHOTOS; i++) {
      offer.photo("p" + i, Photo.Status.READY);
    }
    assertThat(outcome(add(OWNER), offer.situation())).isEqualTo("ACTIVE");
    offer.photo("last", Photo.Status.FAILED);
    assertThat(outcome(add(OWNER), offer.situation())).isEqualTo("photos.too-many");
  }

  @Test
  void decide_remove_requestsRemoval() {
    Situation situation = withPhotos(offer(Status.ACTIVE)).situation();
    Decision.Change change = change(remove(OWNER, "a"), situation);
    assertThat(change.after().getPhotosList()).extracting(Photo::getId).containsExactly("b");
    Effect.PhotosChanged photosChanged = effect(change, Effect.PhotosChanged.class);
    assertThat(photosChanged.removed()).containsExactly("a");
    assertThat(photosChanged.requested()).isEmpty();
    assertThat(photosChanged.part().getPhotosList()).containsExactly(source("b").build());
  }

  @Test
  void decide_removeOrOrderUnknownPhoto_isRefused() {
    Situation situation = withPhotos(offer(Status.ACTIVE)).situation();
    assertThat(outcome(remove(OWNER, "c"), situation)).isEqualTo("photo.not-found");
    assertThat(outcome(order(OWNER, "a"), situation)).isEqualTo("photos.order");
    assertThat(outcome(order(OWNER, "a", "c"), situation)).isEqualTo("photos.order");
  }

  @Test
  void decide_order_movesPhotosAndTheirSources() {
    Situation situation = withPhotos(offer(Status.ACTIVE)).situation();
    Decision.Change change = change(order(OWNER, "b", "a"), situation);
    assertThat(change.after().getPhotosList()).extracting(Photo::getId).containsExactly("b", "a");
    assertThat(effect(change, Effect.PhotosChanged.class).part().getPhotosList())
        .containsExactly(source("b").build(), source("a").build());
  }

  @Test
  void decide_orderAsItIs_keepsTheOffer() {
    Situation situation = withPhotos(offer(Status.BANNED)).situation();
    assertThat(order(OWNER, "a", "b").decide(situation))
        .isEqualTo(new Decision.NoChange(List.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    offer.not-yours, offer.not-yours",
    "SOLD,      offer.not-yours, offer.not-yours",
    "WITHDRAWN, offer.not-found, offer.not-yours",
  })
  void decide_byAnotherCaller_isRefused(Status status, String otherUser, String moderator) {
    Situation situation = withPhotos(offer(status)).situation();
    for (Caller caller : List.of(OTHER_USER, MODERATOR)) {
      String expected = caller.equals(OTHER_USER) ? otherUser : moderator;
      assertThat(outcome(add(caller), situation)).isEqualTo(expected);
      assertThat(outcome(remove(caller, "a"), situation)).isEqualTo(expected);
      assertThat(outcome(order(caller, "b", "a"), situation)).isEqualTo(expected);
    }
  }

  @Test
  void decide_noSuchOffer_isNotFound() {
    assertThat(outcome(add(OWNER), OfferSituations.none())).isEqualTo("offer.not-found");
  }

  @Test
  void needsPhotos_always() {
    assertThat(add(OWNER).needsPhotos()).isTrue();
  }

  private static OfferSituations withPhotos(OfferSituations offer) {
    return offer.photo("a", Photo.Status.READY).photo("b", Photo.Status.PENDING);
  }

  private static AddPhoto add(Caller caller) {
    return new AddPhoto(ID, caller, "new", Optional.of(URL), TERMS, NOW);
  }

  private static RemovePhoto remove(Caller caller, String photo) {
    return new RemovePhoto(ID, caller, photo, TERMS, NOW);
  }

  private static OrderPhotos order(Caller caller, String... photos) {
    return new OrderPhotos(ID, caller, List.of(photos), TERMS, NOW);
  }
}
