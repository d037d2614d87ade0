package dev.torg.offers.store;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OfferCacheIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final Caller seller = user("recent" + System.nanoTime());

  @Test
  void find_changedByAnotherProcess_returnsNewState() {
    Offer offer = await(OFFERS.offers().publish(seller, car("first", 100)));
    OfferId id = OfferId.parse(offer.getId());
    assertThat(find(id)).isEqualTo(offer);
    try (Database database = Database.connect(OFFERS.url(), 8);
        OffersWiring other = OFFERS.wiring(database)) {
      for (int i = 0; i < 20; i++) {
        Offer changed =
            await(
                OffersFixture.offers(other)
                    .update(seller, id, car("title " + i, 100 + i), OptionalLong.empty()));
        assertThat(find(id)).isEqualTo(changed);
        assertThat(find(id)).isEqualTo(changed);
      }
    }
  }

  @Test
  void find_unchanged_sendsNoBody() {
    OfferId id = OfferId.parse(await(OFFERS.offers().publish(seller, car("kept", 100))).getId());
    Offer first = find(id);
    assertThat(find(id)).isSameAs(first);
  }

  @Test
  void find_sentAfterReading_hasTheSameBytes() {
    Offer offer = await(OFFERS.offers().publish(seller, car("Käfer, grün", 100)));
    Offer stored = find(OfferId.parse(offer.getId()));
    assertThat(stored.toByteArray()).isEqualTo(offer.toByteArray());
    assertThat(stored.getDescription()).isEqualTo(offer.getDescription());
  }

  private static Offer find(OfferId id) {
    return await(OFFERS.offersApi().find(List.of(id))).get(id);
  }
}
