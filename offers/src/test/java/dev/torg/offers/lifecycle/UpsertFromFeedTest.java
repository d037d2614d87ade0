package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.DAY;
import static dev.torg.offers.lifecycle.OfferSituations.FULL_TERM;
import static dev.torg.offers.lifecycle.OfferSituations.HIDDEN;
import static dev.torg.offers.lifecycle.OfferSituations.ID;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.OPEN;
import static dev.torg.offers.lifecycle.OfferSituations.OWNER;
import static dev.torg.offers.lifecycle.OfferSituations.TERMS;
import static dev.torg.offers.lifecycle.OfferSituations.change;
import static dev.torg.offers.lifecycle.OfferSituations.checked;
import static dev.torg.offers.lifecycle.OfferSituations.effect;
import static dev.torg.offers.lifecycle.OfferSituations.none;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static dev.torg.offers.lifecycle.OfferSituations.outcome;
import static dev.torg.offers.lifecycle.OfferSituations.queue;
import static dev.torg.offers.lifecycle.OfferSituations.source;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Photo;
import dev.torg.offers.lifecycle.UpsertFromFeed.Kind;
import dev.torg.offers.part.PhotoSource;
import dev.torg.platform.EpochMicros;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class UpsertFromFeedTest {
  private static final long TASK = 7;
  private static final String TITLE = "Nokia 3310";
  private static final String OTHER_TITLE = "Nokia 8210";
  private static final String A = "https://shop.example/a.jpg";
  private static final String B = "https://shop.example/b.jpg";

  // New items.

  @ParameterizedTest
  @CsvSource({"phones, ACTIVE, ''", "pets, PENDING, PENDING", "jobs, PENDING, PENDING"})
  void decide_newItem_isPublishedAsNew(String category, Status expected, String queue) {
    Decision.Change change = change(upsert(Kind.CREATE, category, TITLE), none());
    assertThat(change.after().getStatus()).isEqualTo(expected);
    assertThat(change.after().getSellerId()).isEqualTo(OWNER.subject());
    assertThat(queue(change)).isEqualTo(queue);
    assertThat(change.edited()).isTrue();
    assertThat(change.silent()).isFalse();
  }

  @Test
  void decide_newItemWithPhotos_requestsThemAndCountsBadAddresses() {
    Decision.Change change = change(upsert(Kind.CREATE, HIDDEN, TITLE, A, "no address", B), none());
    assertThat(photos(change.after()))
        .containsExactly(Photo.Status.PENDING, Photo.Status.FAILED, Photo.Status.PENDING);
    Effect.PhotosChanged photosChanged = effect(change, Effect.PhotosChanged.class);
    assertThat(photosChanged.requested()).extracting(PhotoSource::getUrl).containsExactly(A, B);
    assertThat(photosChanged.requested()).extracting(PhotoSource::getFeedTask).containsOnly(TASK);
    assertThat(photosChanged.fed()).isTrue();
    assertThat(photosChanged.part().getPhotosCount()).isEqualTo(3);
    assertThat(change.effects()).containsOnlyOnce(new Effect.PhotoFailed(TASK));
    assertThat(queue(change)).isEqualTo("PENDING");
  }

  @Test
  void decide_newItemIdInUse_isRefused() {
    assertThat(outcome(upsert(Kind.CREATE, OPEN, TITLE), offer(Status.ACTIVE).situation()))
        .isEqualTo(PublishOffer.ID_IN_USE);
  }

  // Items that differ from the last feed.

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    phones, ACTIVE,             '',             false",
    "PENDING,   phones, PENDING,            '',             false",
    "WITHDRAWN, phones, WITHDRAWN,          '',             false",
    "EXPIRED,   phones, ACTIVE,             '',             true",
    "BANNED,    phones, BANNED,             EDITED,         false",
    "SOLD,      phones, offer.not-editable, '',             false",
    "ACTIVE,    pets,   PENDING,            PENDING EDITED, false",
    "PENDING,   pets,   PENDING,            '',             false",
    "WITHDRAWN, pets,   WITHDRAWN,          '',             false",
    "EXPIRED,   pets,   PENDING,            PENDING EDITED, true",
    "BANNED,    pets,   BANNED,             EDITED,         false",
    "SOLD,      pets,   offer.not-editable, '',             false",
    "ACTIVE,    jobs,   ACTIVE,             EDITED,         false",
    "WITHDRAWN, jobs,   WITHDRAWN,          '',             false",
    "EXPIRED,   jobs,   ACTIVE,             EDITED,         true",
    "BANNED,    jobs,   BANNED,             EDITED,         false",
  })
  void decide_changedItem_editsAndSilentlyReactivatesExpiredOffer(
      Status status, String category, String expected, String queue, boolean silent) {
    Situation situation = offer(status).in(category).judgedVersion(5).situation();
    UpsertFromFeed upsert = upsert(Kind.UPDATE, category, OTHER_TITLE);
    assertThat(outcome(upsert, situation)).isEqualTo(expected);
    if (!expected.startsWith("offer.")) {
      Decision.Change change = change(upsert, situation);
      assertThat(change.after().getTitle()).isEqualTo(OTHER_TITLE);
      assertThat(queue(change)).isEqualTo(queue);
      assertThat(change.silent()).isEqualTo(silent);
      assertThat(change.edited()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,  phones, pets,   offer.category-premoderated",
    "EXPIRED, phones, jobs,   offer.category-premoderated",
    "PENDING, phones, pets,   PENDING",
    "ACTIVE,  pets,   phones, ACTIVE",
  })
  void decide_itemInAnotherCategory_keepsModeration(
      Status status, String from, String to, String expected) {
    Situation situation = offer(status).in(from).judgedVersion(5).situation();
    assertThat(outcome(upsert(Kind.UPDATE, to, TITLE), situation)).isEqualTo(expected);
  }

  // Items that are the same as in the last feed.

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"ACTIVE", "PENDING", "WITHDRAWN", "BANNED"})
  void decide_itemWithoutAChange_keepsTheOffer(Status status) {
    Situation situation = offer(status).situation();
    assertThat(outcome(upsert(Kind.UPDATE, OPEN, TITLE), situation)).isEqualTo("unchanged");
    assertThat(outcome(upsert(Kind.UNCHANGED, OPEN, TITLE), situation)).isEqualTo("unchanged");
  }

  /// The owner edited the offer manually; the item is unchanged.
  @Test
  void decide_sameItem_keepsWhatTheOwnerHasChanged() {
    Situation manual =
        offer(Status.ACTIVE).title("By hand").price(5).expires(NOW + DAY).situation();
    Offer.Builder same = change(upsert(Kind.UNCHANGED, OPEN, TITLE), manual).after();
    assertThat(same.getTitle()).isEqualTo("By hand");
    assertThat(same.getPrice().getAmount()).isEqualTo(5);
    Offer.Builder stored = change(upsert(Kind.UPDATE, OPEN, TITLE), manual).after();
    assertThat(stored.getTitle()).isEqualTo(TITLE);
    assertThat(stored.getPrice().getAmount()).isEqualTo(100);
  }

  /// A tenth of sixty days before its expiry, in microseconds from then.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    -1, ACTIVE",
    "ACTIVE,    0,  ACTIVE",
    "ACTIVE,    1,  unchanged",
    "PENDING,   0,  unchanged",
    "WITHDRAWN, 0,  unchanged",
    "BANNED,    0,  unchanged",
  })
  void decide_sameItemThatEndsSoon_isProlonged(Status status, long micros, String expected) {
    for (Kind kind : List.of(Kind.UNCHANGED, Kind.UPDATE)) {
      OfferSituations expiring = offer(status).expires(NOW + 6 * DAY + micros);
      UpsertFromFeed upsert = upsert(kind, OPEN, TITLE);
      assertThat(outcome(upsert, expiring.situation())).isEqualTo(expected);
      if (!expected.equals("unchanged")) {
        Decision.Change change = change(upsert, expiring.situation());
        assertThat(change.after().build())
            .isEqualTo(
                expiring.shown().toBuilder()
                    .setExpiresAt(EpochMicros.timestamp(FULL_TERM))
                    .build());
        assertThat(change.edited()).isFalse();
        assertThat(change.silent()).isFalse();
      }
    }
  }

  @Test
  void prolongWindow_isTenthOfLifetime() {
    assertThat(UpsertFromFeed.prolongWindow(TERMS)).isEqualTo(Duration.ofDays(6));
  }

  @Test
  void decide_prolongedPremoderatedItem_isNotReviewed() {
    Situation expiring = offer(Status.ACTIVE).in(HIDDEN).expires(NOW + DAY).situation();
    assertThat(outcome(upsert(Kind.UNCHANGED, HIDDEN, TITLE), expiring)).isEqualTo("ACTIVE");
    assertThat(queue(upsert(Kind.UNCHANGED, HIDDEN, TITLE).decide(expiring))).isEmpty();
  }

  /// Edited in version 3; an expired offer is reviewed unless that version was approved.
  @ParameterizedTest
  @CsvSource({
    "phones, 0, ACTIVE,  ''",
    "pets,   2, PENDING, PENDING EDITED",
    "pets,   3, ACTIVE,  ''",
    "jobs,   2, ACTIVE,  EDITED",
    "jobs,   3, ACTIVE,  ''",
  })
  void decide_unchangedExpiredItem_isReactivatedForFullTerm(
      String category, long judgedVersion, Status expected, String queue) {
    OfferSituations expired = offer(Status.EXPIRED).in(category).judgedVersion(judgedVersion);
    for (Kind kind : List.of(Kind.UNCHANGED, Kind.UPDATE)) {
      Decision.Change change = change(upsert(kind, category, TITLE), expired.situation());
      assertThat(change.after().build())
          .isEqualTo(
              expired.shown().toBuilder()
                  .setStatus(expected)
                  .setExpiresAt(EpochMicros.timestamp(FULL_TERM))
                  .build());
      assertThat(queue(change)).isEqualTo(queue);
      assertThat(change.silent()).isTrue();
      assertThat(change.edited()).isFalse();
    }
  }

  // Removed offers that the feed names again.

  @ParameterizedTest
  @CsvSource({
    "phones, phones, ACTIVE,  ''",
    "pets,   pets,   PENDING, PENDING EDITED",
    "jobs,   jobs,   ACTIVE,  EDITED",
    "phones, pets,   PENDING, PENDING",
    "phones, jobs,   PENDING, PENDING",
    "pets,   jobs,   PENDING, PENDING",
    "pets,   phones, ACTIVE,  ''",
  })
  void decide_removedItem_isRestoredSilentlyAndReviewedIfPremoderated(
      String from, String to, Status expected, String queue) {
    Situation removed = offer(Status.REMOVED).in(from).judgedVersion(5).situation();
    for (Kind kind : List.of(Kind.UPDATE, Kind.UNCHANGED)) {
      Decision.Change change = change(upsert(kind, to, OTHER_TITLE), removed);
      assertThat(change.after().getStatus()).isEqualTo(expected);
      assertThat(change.after().getTitle()).isEqualTo(OTHER_TITLE);
      assertThat(queue(change)).isEqualTo(queue);
      assertThat(change.silent()).isTrue();
      assertThat(change.edited()).isTrue();
    }
  }

  @Test
  void decide_removedItem_keepsItsFirstActivationAndGetsAFullTerm() {
    OfferSituations removed = offer(Status.REMOVED);
    Decision.Change change = change(upsert(Kind.UPDATE, OPEN, TITLE), removed.situation());
    assertThat(change.after().getActivatedAt()).isEqualTo(removed.shown().getActivatedAt());
    assertThat(EpochMicros.of(change.after().getExpiresAt())).isEqualTo(FULL_TERM);
    assertThat(change.edited()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"phones, ACTIVE, ''", "pets, PENDING, PENDING", "jobs, PENDING, PENDING"})
  void decide_removedItemNeverActive_needsFirstApproval(
      String category, Status expected, String queue) {
    Situation removed = offer(Status.REMOVED).in(category).neverActivated().situation();
    Decision.Change change = change(upsert(Kind.UPDATE, category, TITLE), removed);
    assertThat(change.after().getStatus()).isEqualTo(expected);
    assertThat(queue(change)).isEqualTo(queue);
    assertThat(change.after().hasActivatedAt()).isEqualTo(expected == Status.ACTIVE);
  }

  /// An imported offer was active before, although it has no time of first activation.
  @ParameterizedTest
  @CsvSource({"pets, PENDING, PENDING EDITED", "jobs, ACTIVE, EDITED"})
  void decide_removedImportedItem_isReviewedAsAnEdit(
      String category, Status expected, String queue) {
    Situation removed = offer(Status.REMOVED).in(category).imported().situation();
    Decision.Change change = change(upsert(Kind.UPDATE, category, TITLE), removed);
    assertThat(change.after().getStatus()).isEqualTo(expected);
    assertThat(queue(change)).isEqualTo(queue);
  }

  /// Omitting the item from a feed does not evade a ban.
  @ParameterizedTest
  @CsvSource({"phones, phones", "pets, pets", "phones, pets", "pets, phones"})
  void decide_removedBannedItem_isRestoredAsBanned(String from, String to) {
    Situation removed =
        offer(Status.REMOVED).in(from).bannedFrom(Status.ACTIVE).judgedVersion(5).situation();
    Decision.Change change = change(upsert(Kind.UPDATE, to, OTHER_TITLE), removed);
    assertThat(change.after().getStatus()).isEqualTo(Status.BANNED);
    assertThat(queue(change)).isEqualTo("EDITED");
  }

  @Test
  void decide_noSuchOffer_isNotFound() {
    assertThat(outcome(upsert(Kind.UPDATE, OPEN, TITLE), none())).isEqualTo("offer.not-found");
  }

  // Photos.

  @Test
  void decide_changedPhotos_keepsExistingAndReplacesOthers() {
    Situation situation = withPhotos(offer(Status.ACTIVE)).situation();
    Decision.Change change =
        change(upsert(Kind.UPDATE, OPEN, TITLE, "https://shop.example/new.jpg", A), situation);
    assertThat(change.after().getPhotosList()).hasSize(2);
    assertThat(change.after().getPhotos(1).getId()).isEqualTo("a");
    Effect.PhotosChanged photosChanged = effect(change, Effect.PhotosChanged.class);
    assertThat(photosChanged.removed()).containsExactly("own");
    assertThat(photosChanged.requested()).hasSize(1);
    assertThat(change.edited()).isTrue();
  }

  @Test
  void decide_newPhotoOfAPremoderatedItem_isReviewed() {
    Situation situation = offer(Status.ACTIVE).in(HIDDEN).judgedVersion(5).situation();
    Decision.Change change = change(upsert(Kind.UPDATE, HIDDEN, TITLE, A), situation);
    assertThat(change.after().getStatus()).isEqualTo(Status.PENDING);
    assertThat(queue(change)).isEqualTo("PENDING EDITED");
  }

  /// An item without photos does not affect photos that the owner has uploaded. Showing less needs no
  /// review.
  @Test
  void decide_itemWithoutPhotos_dropsThoseOfFeedsOnly() {
    Situation situation = withPhotos(offer(Status.ACTIVE).in(HIDDEN)).situation();
    Decision.Change change = change(upsert(Kind.UPDATE, HIDDEN, TITLE), situation);
    assertThat(change.after().getPhotosList()).extracting(Photo::getId).containsExactly("own");
    assertThat(effect(change, Effect.PhotosChanged.class).removed()).containsExactly("a");
    assertThat(change.edited()).isFalse();
    assertThat(queue(change)).isEmpty();
  }

  @Test
  void decide_itemAndOfferWithoutFeedPhotos_keepsOffer() {
    Situation situation = offer(Status.ACTIVE).photo("own", Photo.Status.READY).situation();
    assertThat(outcome(upsert(Kind.UPDATE, OPEN, TITLE), situation)).isEqualTo("unchanged");
  }

  /// The text of the item has changed, its photos have not, or it has none.
  @Test
  void decide_changedItemWithSamePhotos_hasNoEffectOnPhotos() {
    Situation fed =
        offer(Status.ACTIVE)
            .photo(photo("a", Photo.Status.READY), source("a").setFeedTask(3).build())
            .situation();
    Situation uploaded = offer(Status.ACTIVE).photo("own", Photo.Status.READY).situation();

    assertThat(change(upsert(Kind.UPDATE, OPEN, OTHER_TITLE, A), fed).effects()).isEmpty();
    assertThat(change(upsert(Kind.UPDATE, OPEN, OTHER_TITLE), uploaded).effects()).isEmpty();
  }

  /// The owner has removed a photo and added another; the item is unchanged.
  @Test
  void decide_sameItem_keepsPhotosThatTheOwnerHasChanged() {
    Situation situation = offer(Status.ACTIVE).photo("own", Photo.Status.READY).situation();
    assertThat(outcome(upsert(Kind.UNCHANGED, OPEN, TITLE, A, B), situation))
        .isEqualTo("unchanged");
  }

  @Test
  void decide_sameExpiredItem_isReactivatedWithoutEffectOnPhotos() {
    Situation expired = withPhotos(offer(Status.EXPIRED)).situation();
    Decision.Change change = change(upsert(Kind.UNCHANGED, OPEN, TITLE, A, B), expired);
    assertThat(change.after().getPhotosList()).extracting(Photo::getId).containsExactly("a", "own");
    assertThat(change.effects()).isEmpty();
  }

  /// The retry itself needs no review: it shows nothing new.
  @ParameterizedTest
  @CsvSource({"ACTIVE, 59, unchanged", "ACTIVE, 60, ACTIVE", "BANNED, 60, BANNED"})
  void decide_sameItemWithUnreachablePhoto_isRetriedAfterAnHour(
      Status status, long minutes, String expected) {
    long failedAt = NOW - EpochMicros.of(Duration.ofMinutes(minutes));
    Situation situation =
        offer(status)
            .in(HIDDEN)
            .photo(
                photo("a", Photo.Status.FAILED),
                source("a").setFeedTask(3).setPassing(true).setAnsweredAt(failedAt).build())
            .situation();
    UpsertFromFeed upsert = upsert(Kind.UNCHANGED, HIDDEN, TITLE, A);
    assertThat(outcome(upsert, situation)).isEqualTo(expected);
    if (!expected.equals("unchanged")) {
      Decision.Change change = change(upsert, situation);
      assertThat(photos(change.after())).containsExactly(Photo.Status.PENDING);
      Effect.PhotosChanged photosChanged = effect(change, Effect.PhotosChanged.class);
      assertThat(photosChanged.removed()).containsExactly("a");
      assertThat(photosChanged.requested().getFirst().getFeedTask()).isEqualTo(TASK);
      assertThat(change.edited()).isFalse();
      assertThat(queue(change)).isEmpty();
    }
  }

  @Test
  void decide_removedItemWithAnotherPhoto_isRestoredWithIt() {
    Situation situation = withPhotos(offer(Status.REMOVED)).situation();
    Decision.Change change = change(upsert(Kind.UPDATE, OPEN, TITLE, B), situation);
    assertThat(photos(change.after())).containsExactly(Photo.Status.PENDING);
    assertThat(effect(change, Effect.PhotosChanged.class).removed())
        .containsExactlyInAnyOrder("a", "own");
    assertThat(change.edited()).isTrue();
  }

  @Test
  void needsParts_onlyForExistingOffer() {
    for (Kind kind : Kind.values()) {
      assertThat(upsert(kind, OPEN, TITLE).needsModeration()).isEqualTo(kind != Kind.CREATE);
      assertThat(upsert(kind, OPEN, TITLE).needsPhotos()).isEqualTo(kind != Kind.CREATE);
    }
  }

  /// One photo from an earlier feed and one uploaded by the owner.
  private static OfferSituations withPhotos(OfferSituations offer) {
    return offer
        .photo(photo("a", Photo.Status.READY), source("a").setFeedTask(3).build())
        .photo(photo("own", Photo.Status.READY), source("own").clearUrl().build());
  }

  private static Photo photo(String id, Photo.Status status) {
    return Photo.newBuilder().setId(id).setStatus(status).build();
  }

  private static List<Photo.Status> photos(Offer.Builder offer) {
    return offer.getPhotosList().stream().map(Photo::getStatus).toList();
  }

  private static UpsertFromFeed upsert(Kind kind, String category, String title, String... urls) {
    UpsertFromFeed.Item item =
        new UpsertFromFeed.Item(checked(category, title), List.of(urls), TASK);
    return new UpsertFromFeed(ID, OWNER.subject(), kind, item, TERMS, NOW);
  }
}
