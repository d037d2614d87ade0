package dev.torg.offers.store;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.kindOf;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.offers.offer.OfferService;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.testkit.CommitCuttingProxy;
import dev.torg.testkit.CommitCuttingProxy.Cut;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The response to COMMIT is lost: a committed write is found by its token, and one that was not committed
/// is not reported as successful.
class LostCommitIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final Caller SELLER = user("seller");

  private final CommitCuttingProxy cutter = CommitCuttingProxy.inFrontOf(OFFERS.url());
  private final Database database = Database.connect(cutter.url(), 10);
  private final OffersWiring wiring = OFFERS.wiring(database);
  private final OfferService offers = OffersFixture.offers(wiring);

  @AfterEach
  void close() {
    wiring.close();
    database.close();
    cutter.close();
  }

  @Test
  void update_commitResponseLost_isFoundByToken() {
    Offer offer = await(offers.publish(SELLER, car("Audi", 100)));
    cutter.cutNext(Cut.AFTER_COMMIT);
    Offer updated = await(offers.update(SELLER, id(offer), car("Audi", 90), OptionalLong.of(1)));
    assertThat(updated.getVersion()).isEqualTo(2);
    assertThat(await(OFFERS.offers().get(Optional.empty(), id(offer)))).isEqualTo(updated);
    assertThat(OFFERS.events(offer.getId())).hasSize(2);
  }

  @Test
  void publish_commitResponseLost_createsOneOffer() {
    cutter.cutNext(Cut.AFTER_COMMIT);
    Offer offer = await(offers.publish(SELLER, car("Only one", 100)));
    assertThat(await(OFFERS.offers().get(Optional.empty(), id(offer)))).isEqualTo(offer);
    assertThat(OFFERS.events(offer.getId())).hasSize(1);
  }

  @Test
  void update_neverCommitted_isUnavailableAndHasNoEffect() {
    Offer offer = await(offers.publish(SELLER, car("Audi", 100)));
    cutter.cutNext(Cut.BEFORE_COMMIT);
    assertThat(kindOf(() -> offers.update(SELLER, id(offer), car("Audi", 90), OptionalLong.of(1))))
        .isEqualTo("UNAVAILABLE");
    assertThat(await(OFFERS.offers().get(Optional.empty(), id(offer)))).isEqualTo(offer);
    assertThat(OFFERS.events(offer.getId())).hasSize(1);
  }

  private static OfferId id(Offer offer) {
    return OfferId.parse(offer.getId());
  }
}
