package dev.torg.offers.offer;

import static dev.torg.offers.wiring.OffersFixture.anonymous;
import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.kindOf;
import static dev.torg.offers.wiring.OffersFixture.moderator;
import static dev.torg.offers.wiring.OffersFixture.money;
import static dev.torg.offers.wiring.OffersFixture.pet;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.PricePoint;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OfferServiceIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final Caller SELLER = user("seller");
  private static final Caller OTHER_USER = user("stranger");

  private final OfferService offers = OFFERS.offers();

  @Test
  void publish_validOffer_isStoredWithServerFields() {
    Offer published = publish(car("Audi A3", 500_000));

    assertThat(published.getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(published.getSellerId()).isEqualTo("user:seller");
    assertThat(published.getDisplayId()).hasSize(19);
    assertThat(published.getVersion()).isEqualTo(1);
    assertThat(published.getActivatedAt()).isEqualTo(published.getCreatedAt());
    assertThat(published.getExpiresAt().getSeconds() - published.getCreatedAt().getSeconds())
        .isEqualTo(60 * 24 * 3600);
    assertThat(await(offers.get(Optional.empty(), id(published)))).isEqualTo(published);
  }

  @Test
  void publish_anonymous_isUnauthenticated() {
    assertThat(kindOf(() -> offers.publish(anonymous("a"), car("Audi", 1))))
        .isEqualTo("UNAUTHENTICATED");
  }

  @Test
  void publish_sameIdempotencyKey_createsOneOffer() {
    Offer first = await(offers.publish(SELLER, car("Audi", 1), Optional.of("key-1")));
    Offer repeated = await(offers.publish(SELLER, car("Audi", 1), Optional.of("key-1")));
    assertThat(repeated).isEqualTo(first);
    assertThat(kindOf(() -> offers.publish(SELLER, car("BMW", 1), Optional.of("key-1"))))
        .isEqualTo("CONFLICT");
    assertThat(await(offers.publish(OTHER_USER, car("Audi", 1), Optional.of("key-1"))).getId())
        .isNotEqualTo(first.getId());
  }

  @Test
  void update_newPrice_incrementsVersionAndEventHasBothPrices() {
    Offer published = publish(car("Audi A3", 500_000));
    Offer updated =
        await(offers.update(SELLER, id(published), car("Audi A3", 450_000), OptionalLong.of(1)));

    assertThat(updated.getVersion()).isEqualTo(2);
    assertThat(await(offers.get(Optional.empty(), id(published)))).isEqualTo(updated);
    List<OfferEvent> events = OFFERS.events(published.getId());
    assertThat(events).hasSize(2);
    assertThat(events.get(0).hasBefore()).isFalse();
    assertThat(events.get(0).getAfter()).isEqualTo(published);
    assertThat(events.get(1).getAfter()).isEqualTo(updated);
    assertThat(events.get(1).getBefore().getPrice()).isEqualTo(money(500_000));
    assertThat(events.get(1).getBefore().getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(events.get(1).getBefore().getAttributesMap())
        .isEqualTo(published.getAttributesMap());
    assertThat(events.get(1).getChangedList()).containsExactly("price");
    assertThat(events.get(1).getVersion()).isEqualTo(2);
    assertThat(events.get(1).getSeq()).isGreaterThan(events.get(0).getSeq());
  }

  @Test
  void update_versionNotCurrent_isConflict() {
    Offer published = publish(car("Audi A3", 500_000));
    assertThat(
            kindOf(() -> offers.update(SELLER, id(published), car("Audi", 1), OptionalLong.of(7))))
        .isEqualTo("CONFLICT");
    assertThat(OFFERS.events(published.getId())).hasSize(1);
  }

  @Test
  void update_invalid_storesNothing() {
    Offer published = publish(car("Audi A3", 500_000));
    assertThat(kindOf(() -> update(published, car("A", 1)))).isEqualTo("INVALID");
    assertThat(await(offers.get(Optional.empty(), id(published)))).isEqualTo(published);
  }

  @Test
  void update_manyAtOnceOnOneOffer_losesNone() {
    Offer published = publish(car("Audi A3", 0));
    List<CompletableFuture<Offer>> updates = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      updates.add(update(published, car("Audi A3", i)));
    }
    updates.forEach(OffersFixture::await);

    assertThat(await(offers.get(Optional.empty(), id(published))).getVersion()).isEqualTo(201);
    List<OfferEvent> events = OFFERS.events(published.getId());
    assertThat(events).extracting(OfferEvent::getVersion).hasSize(201).isSorted();
    for (int i = 1; i < events.size(); i++) {
      assertThat(events.get(i).getBefore().getPrice())
          .isEqualTo(events.get(i - 1).getAfter().getPrice());
    }
  }

  @Test
  void get_hiddenStatuses_areForOwnerAndStaffOnly() {
    Offer pending = publish(pet("A cat"));
    Offer removed = publish(car("Audi", 1));
    await(offers.apply(SELLER, id(removed), Action.REMOVE));

    for (Offer hidden : List.of(pending, removed)) {
      assertThat(kindOf(() -> offers.get(Optional.empty(), id(hidden)))).isEqualTo("NOT_FOUND");
      assertThat(kindOf(() -> offers.get(Optional.of(OTHER_USER), id(hidden))))
          .isEqualTo("NOT_FOUND");
      assertThat(kindOf(() -> offers.get(Optional.of(SELLER), id(hidden)))).isEqualTo("OK");
      assertThat(kindOf(() -> offers.get(Optional.of(moderator("m")), id(hidden)))).isEqualTo("OK");
    }
  }

  @Test
  void get_many_returnsVisibleOffersInOrder() {
    Offer first = publish(car("First", 1));
    Offer hidden = publish(pet("Hidden"));
    Offer last = publish(car("Last", 1));
    Map<OfferId, Offer> visible =
        await(
            offers.get(Optional.empty(), List.of(id(last), id(hidden), new OfferId(0), id(first))));
    assertThat(visible.values()).containsExactly(last, first);
  }

  @Test
  void priceHistory_changes_areStoredOldestFirst() {
    Offer published = publish(car("Audi", 100));
    await(update(published, car("Audi", 90)));
    await(update(published, car("Audi again", 90)));
    await(update(published, car("Audi", 90).toBuilder().clearPrice().build()));
    await(update(published, car("Audi", 80)));

    List<PricePoint> points = await(offers.priceHistory(Optional.empty(), id(published)));
    assertThat(points)
        .extracting(p -> p.hasPrice() ? p.getPrice().getAmount() : -1)
        .containsExactly(100L, 90L, -1L, 80L);
  }

  private Offer publish(Offer content) {
    return await(offers.publish(SELLER, content));
  }

  private CompletableFuture<Offer> update(Offer offer, Offer content) {
    return offers.update(SELLER, id(offer), content, OptionalLong.empty());
  }

  private static OfferId id(Offer offer) {
    return OfferId.parse(offer.getId());
  }
}
