package dev.torg.offers.offer;

import static dev.torg.offers.TestOffers.await;
import static dev.torg.offers.TestOffers.car;
import static dev.torg.offers.TestOffers.kindOf;
import static dev.torg.offers.TestOffers.money;
import static dev.torg.offers.TestOffers.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.offers.TestOffers;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OfferServiceIT {
  @RegisterExtension static final TestOffers OFFERS = new TestOffers();

  private static final Caller SELLER = user("seller");

  private final OfferService offers = OFFERS.offers();

  @Test
  void publish_validOffer_isThereWithAllThatTorgDecides() {
    Offer published = await(offers.publish(SELLER, car("Audi A3", 500_000)));

    assertThat(published.getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(published.getSellerId()).isEqualTo("user:seller");
    assertThat(published.getVersion()).isEqualTo(1);
    assertThat(published.getExpiresAt().getSeconds() - published.getCreatedAt().getSeconds())
        .isEqualTo(60 * 24 * 3600);
    assertThat(await(offers.get(Optional.empty(), id(published)))).isEqualTo(published);
  }

  @Test
  void update_newPrice_raisesVersionAndTellsBeforeAndAfter() {
    Offer published = await(offers.publish(SELLER, car("Audi A3", 500_000)));
    Offer updated =
        await(
            offers.update(
                SELLER, id(published), car("Audi A3", 450_000), OptionalLong.of(1)));

    assertThat(updated.getVersion()).isEqualTo(2);
    assertThat(await(offers.get(Optional.empty(), id(published)))).isEqualTo(updated);
    List<OfferEvent> events = OFFERS.events(published.getId());
    assertThat(events).hasSize(2);
    assertThat(events.get(0).hasBefore()).isFalse();
    assertThat(events.get(0).getAfter()).isEqualTo(published);
    assertThat(events.get(1).getAfter()).isEqualTo(updated);
    assertThat(events.get(1).getBefore().getPrice()).isEqualTo(money(500_000));
    assertThat(events.get(1).getChangedList()).containsExactly("price");
    assertThat(events.get(1).getVersion()).isEqualTo(2);
    assertThat(events.get(1).getSeq()).isGreaterThan(events.get(0).getSeq());
  }

  @Test
  void update_versionNotCurrent_isConflict() {
    Offer published = await(offers.publish(SELLER, car("Audi A3", 500_000)));
    assertThat(
            kindOf(offers.update(SELLER, id(published), car("Audi", 1), OptionalLong.of(7))))
        .isEqualTo("CONFLICT");
  }

  private static OfferId id(Offer offer) {
    return OfferId.parse(offer.getId());
  }
}
