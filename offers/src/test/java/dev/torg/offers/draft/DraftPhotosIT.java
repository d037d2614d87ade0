package dev.torg.offers.draft;

import static dev.torg.offers.wiring.OffersFixture.anonymous;
import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.kindOf;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.Photo.Status;
import dev.torg.offers.category.OfferValidator;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.photo.PhotoPump;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.photos.PhotoImages;
import dev.torg.photos.PhotoSettings;
import dev.torg.photos.prepare.PhotoVisibility;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.outbox.Outbox;
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

class DraftPhotosIT {
  private static final TestSite SITE = new TestSite();
  private static final AtomicInteger COLORS = new AtomicInteger(1);

  @RegisterExtension
  static final OffersFixture OFFERS =
      new OffersFixture(
          PhotoSettings.defaults(TestDirectory.create("photos"))
              .withTrustedHosts(Set.of("127.0.0.1")));

  private final DraftService drafts =
      new DraftService(
          OFFERS.database(),
          new OfferValidator(OFFERS.categories),
          new PhotoPartStore(new Outbox()),
          OFFERS.clock,
          Runnable::run);
  private final PhotoPump pump = new PhotoPump(OFFERS);

  @AfterAll
  static void close() {
    SITE.close();
  }

  @Test
  void add_anonymous_isReadyInTheDraft() {
    DraftKey draft = draft(anonymous("alone"));
    Photo photo = add(draft, "/alone");
    assertThat(photo.getStatus()).isEqualTo(Status.PENDING);
    pump.run();
    assertThat(shown(draft)).singleElement().matches(p -> p.getStatus() == Status.READY);
  }

  @Test
  void update_keepsThePhotos_resetDropsThem() {
    Caller owner = user("updates");
    DraftKey draft = draft(owner);
    add(draft, "/updates");
    await(drafts.update(draft, car("Audi", 100)));
    pump.run();
    assertThat(shown(draft)).hasSize(1);
    await(drafts.open(owner, Optional.of("electronics"), Optional.empty()));
    assertThat(shown(draft)).isEmpty();
  }

  @Test
  void publish_draft_keepsReadyAndPendingPhotos() {
    Caller owner = user("carries");
    DraftKey draft = draft(owner);
    await(drafts.update(draft, car("Audi", 100)));
    Photo ready = add(draft, "/ready");
    pump.run();
    Photo pending = add(draft, "/pending");
    List<Event> toTheDraft = pump.deliverRequests();
    Offer offer = await(OFFERS.offers().publish(owner, draft));
    assertThat(offer.getPhotosList())
        .extracting(Photo::getId)
        .containsExactly(ready.getId(), pending.getId());
    assertThat(offer.getPhotosList())
        .extracting(Photo::getStatus)
        .containsExactly(Status.READY, Status.PENDING);
    pump.deliver(toTheDraft);
    pump.run();
    Offer after = await(OFFERS.offers().get(Optional.of(owner), OfferId.parse(offer.getId())));
    assertThat(after.getPhotosList()).extracting(Photo::getStatus).containsOnly(Status.READY);
    assertThat(SITE.requested().stream().filter(path -> path.endsWith("/pending"))).hasSize(1);
  }

  @Test
  void publish_readyPhoto_isVisibleAsTheOfferIs() {
    Caller owner = user("visible");
    DraftKey draft = draft(owner);
    await(drafts.update(draft, car("Audi", 100)));
    Photo photo = add(draft, "/visible");
    pump.run();
    assertThat(access(photo)).isEqualTo(PhotoImages.Access.PUBLIC);
    Offer offer = await(OFFERS.offers().publish(owner, draft));
    pump.run();
    assertThat(access(photo)).isEqualTo(PhotoImages.Access.PUBLIC);
    await(OFFERS.offers().apply(owner, OfferId.parse(offer.getId()), Action.REMOVE));
    OFFERS.clock.advance(PhotoVisibility.CACHE_TIME);
    assertThat(access(photo)).isEqualTo(PhotoImages.Access.NONE);
  }

  private static PhotoImages.Access access(Photo photo) {
    return OFFERS.images().access(photo.getId(), Optional.empty());
  }

  @Test
  void takeover_keepsPhotos() {
    Caller before = anonymous("before-login");
    DraftKey draft = draft(before);
    await(drafts.update(draft, car("Audi", 100)));
    Photo photo = add(draft, "/taken");
    List<Event> toTheAnonymous = pump.deliverRequests();
    Caller login = user("login");
    DraftRow takenOver = await(drafts.open(login, Optional.empty(), Optional.of(before.subject())));
    assertThat(takenOver.content().getPhotosList())
        .extracting(Photo::getId)
        .containsExactly(photo.getId());
    pump.deliver(toTheAnonymous);
    pump.run();
    assertThat(shown(takenOver.key())).singleElement().matches(p -> p.getStatus() == Status.READY);
    Offer offer = await(OFFERS.offers().publish(login, takenOver.key()));
    assertThat(offer.getPhotos(0).getStatus()).isEqualTo(Status.READY);
  }

  @Test
  void delete_draft_removesPhotos() {
    DraftKey draft = draft(user("deletes"));
    Photo photo = add(draft, "/deletes");
    pump.run();
    assertThat(OFFERS.images().image(photo.getId(), "thumb")).isPresent();
    await(drafts.delete(draft));
    pump.run();
    assertThat(OFFERS.images().image(photo.getId(), "thumb")).isEmpty();
  }

  @Test
  void change_orderAndRemove() {
    DraftKey draft = draft(user("orders"));
    Photo first = add(draft, "/1");
    Photo second = add(draft, "/2");
    await(OFFERS.photos().order(draft, List.of(second.getId(), first.getId())));
    assertThat(shown(draft))
        .extracting(Photo::getId)
        .containsExactly(second.getId(), first.getId());
    await(OFFERS.photos().remove(draft, second.getId()));
    assertThat(shown(draft)).extracting(Photo::getId).containsExactly(first.getId());
    assertThat(kindOf(() -> OFFERS.photos().remove(draft, second.getId()))).isEqualTo("NOT_FOUND");
  }

  @Test
  void add_sameKeyTwice_isOnePhoto() {
    DraftKey draft = draft(user("keyed"));
    Photo first = await(OFFERS.photos().add(draft, SITE.at("/k"), Optional.of("k")));
    Photo repeated = await(OFFERS.photos().add(draft, SITE.at("/k"), Optional.of("k")));
    assertThat(repeated).isEqualTo(first);
    assertThat(shown(draft)).hasSize(1);
    assertThat(kindOf(() -> OFFERS.photos().add(draft, SITE.at("/other"), Optional.of("k"))))
        .isEqualTo("CONFLICT");
  }

  @Test
  void change_draftOfAnother_isNotFound() {
    DraftKey own = draft(user("mine"));
    DraftKey others = new DraftKey("user:others", own.id());
    assertThat(kindOf(() -> OFFERS.photos().add(others, SITE.at("/x"), Optional.empty())))
        .isEqualTo("NOT_FOUND");
    assertThat(kindOf(() -> OFFERS.photos().requireMayAdd(others, false))).isEqualTo("NOT_FOUND");
  }

  private DraftKey draft(Caller owner) {
    return await(drafts.open(owner, Optional.empty(), Optional.empty())).key();
  }

  private Photo add(DraftKey draft, String path) {
    SITE.put(path, TestImages.jpeg(64, 48, new Color(COLORS.getAndAdd(4_000))));
    return await(OFFERS.photos().add(draft, SITE.at(path), Optional.empty()));
  }

  private List<Photo> shown(DraftKey draft) {
    return await(drafts.get(draft)).content().getPhotosList();
  }
}
