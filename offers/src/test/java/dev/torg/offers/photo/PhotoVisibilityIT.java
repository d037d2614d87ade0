package dev.torg.offers.photo;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.moderator;
import static dev.torg.offers.wiring.OffersFixture.pet;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.Opinion.Verdict;
import dev.torg.api.v1.Photo;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.photos.PhotoImages.Access;
import dev.torg.photos.PhotoSettings;
import dev.torg.photos.prepare.PhotoVisibility;
import dev.torg.platform.Caller;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Database;
import dev.torg.testkit.TestDirectory;
import dev.torg.testkit.TestImages;
import dev.torg.testkit.TestSite;
import java.awt.Color;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Who may see the images of a photo as its offer changes.
class PhotoVisibilityIT {
  private static final TestSite SITE = new TestSite();

  @RegisterExtension
  static final OffersFixture OFFERS =
      new OffersFixture(
          PhotoSettings.defaults(TestDirectory.create("photos"))
              .withTrustedHosts(Set.of("127.0.0.1")));

  private static final BatchSql<Home> BEGIN_BACKFILL =
      BatchColumns.<Home>of(home -> home)
          .sql("INSERT INTO photo_owner_backfill (home, offer_id) SELECT k.home, -1 FROM :rows(k)");

  private static final AtomicInteger NUMBERS = new AtomicInteger(1);

  private final Caller seller = user("visible-" + NUMBERS.incrementAndGet());
  private final PhotoPump pump = new PhotoPump(OFFERS);

  @AfterAll
  static void close() {
    SITE.close();
  }

  @Test
  void access_bannedOffer_isModeratorsOnlyUntilUnban() {
    Offer offer = published(car("Audi", 1));
    String photo = photo(offer);
    assertThat(access(photo)).isEqualTo(Access.PUBLIC);
    giveOpinion(offer, Verdict.BAN);
    letCacheExpire();
    assertThat(access(photo)).isEqualTo(Access.NONE);
    assertThat(OFFERS.images().access(photo, Optional.of(seller))).isEqualTo(Access.NONE);
    assertThat(OFFERS.images().access(photo, Optional.of(moderator("m"))))
        .isEqualTo(Access.PRIVATE);
    giveOpinion(offer, Verdict.UNBAN);
    letCacheExpire();
    assertThat(access(photo)).isEqualTo(Access.PUBLIC);
  }

  @Test
  void access_removedOffer_isDenied() {
    Offer offer = published(car("Audi", 1));
    String photo = photo(offer);
    assertThat(access(photo)).isEqualTo(Access.PUBLIC);
    await(OFFERS.offers().apply(seller, OfferId.parse(offer.getId()), Action.REMOVE));
    letCacheExpire();
    assertThat(access(photo)).isEqualTo(Access.NONE);
    assertThat(OFFERS.images().access(photo, Optional.of(moderator("m")))).isEqualTo(Access.NONE);
  }

  /// As browsers of moderators and owners request them: without a token.
  @Test
  void pendingAndWithdrawn_areServed() {
    Offer pending = published(pet("A cat"));
    assertThat(access(photo(pending))).isEqualTo(Access.PUBLIC);
    Offer withdrawn = published(car("Audi", 1));
    String photo = photo(withdrawn);
    await(OFFERS.offers().apply(seller, OfferId.parse(withdrawn.getId()), Action.WITHDRAW));
    letCacheExpire();
    assertThat(access(photo)).isEqualTo(Access.PUBLIC);
  }

  @Test
  void ban_inAnotherProcess_isEffectiveAfterTheCacheTime() {
    Offer offer = published(car("Audi", 1));
    String photo = photo(offer);
    assertThat(access(photo)).isEqualTo(Access.PUBLIC);
    try (Database other = Database.connect(OFFERS.url(), 10);
        OffersWiring second = OFFERS.wiring(other)) {
      await(
          OffersFixture.moderation(second)
              .applyOpinion(moderator("m"), OfferId.parse(offer.getId()), opinion(Verdict.BAN)));
    }
    letCacheExpire();
    assertThat(access(photo)).isEqualTo(Access.NONE);
  }

  /// Rows written before the column existed, as the migration leaves them.
  @Test
  void backfill_photosWithoutOwner_hidesThoseOfRemovedOffers() {
    Offer removed = published(car("Audi", 1));
    String hidden = photo(removed);
    String shown = photo(published(car("Audi", 1)));
    await(OFFERS.offers().apply(seller, OfferId.parse(removed.getId()), Action.REMOVE));
    OFFERS.homesByShard().forEach(PhotoVisibilityIT::clearOwners);
    letCacheExpire();
    assertThat(access(hidden)).isEqualTo(Access.PUBLIC);
    OFFERS.backfillPhotoOwners();
    letCacheExpire();
    assertThat(access(hidden)).isEqualTo(Access.NONE);
    assertThat(access(shown)).isEqualTo(Access.PUBLIC);
    List<Integer> remaining =
        OFFERS
            .database()
            .read(tx -> tx.sql("SELECT home FROM photo_owner_backfill").list(row -> row.intAt(1)));
    assertThat(remaining).isEmpty();
  }

  private static void clearOwners(List<Home> homes) {
    OFFERS
        .database()
        .transact(
            tx -> {
              tx.sql("UPDATE photo SET offer_id = NULL WHERE home = ANY (?)")
                  .ints(homes, Home::number)
                  .update();
              tx.sql(BEGIN_BACKFILL, homes).update();
            });
  }

  @Test
  void etag_doesNotRevealContent() {
    String photo = photo(published(car("Audi", 1)));
    assertThat(OFFERS.images().etag(photo, "card")).contains(photo + "-card");
  }

  private Offer published(Offer content) {
    return await(OFFERS.offers().publish(seller, content));
  }

  /// The id of a ready photo.
  private String photo(Offer offer) {
    OfferId id = OfferId.parse(offer.getId());
    Photo photo = await(OFFERS.photos().add(seller, id, photoId(), Optional.empty()));
    pump.run();
    return photo.getId();
  }

  private static String photoId() {
    int number = NUMBERS.incrementAndGet();
    return SITE.put("/" + number, TestImages.jpeg(64, 48, new Color(number * 4_000)));
  }

  private static Access access(String photo) {
    return OFFERS.images().access(photo, Optional.empty());
  }

  private static void giveOpinion(Offer offer, Verdict verdict) {
    await(
        OFFERS
            .moderation()
            .applyOpinion(moderator("m"), OfferId.parse(offer.getId()), opinion(verdict)));
  }

  private static Opinion opinion(Verdict verdict) {
    return Opinion.newBuilder().setVerdict(verdict).build();
  }

  private static void letCacheExpire() {
    OFFERS.clock.advance(PhotoVisibility.CACHE_TIME);
  }
}
