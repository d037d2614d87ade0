package dev.torg.offers.archive;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.offers.lifecycle.ApplyPromotions;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The number of the last event about an offer's promotions moves to the archive and back with the offer.
class ArchivedPromotionsIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final Caller seller = user("seller");
  private final OfferId id =
      OfferId.parse(await(OFFERS.offers().publish(seller, car("Audi A4", 1))).getId());

  @Test
  void apply_archivedOffer_restoresItAndComparesNumbers() {
    apply(5, "premium");
    removeAndArchive();
    assertThat(apply(4)).containsExactly("premium");
    assertThat(isArchived()).isTrue();
    assertThat(apply(6)).isEmpty();
    assertThat(isArchived()).isFalse();
    assertThat(apply(5, "premium")).isEmpty();
  }

  /// An event that changes nothing leaves the offer in the archive, and its number counts.
  @Test
  void apply_archivedOfferUnchanged_recordsTheNumber() {
    apply(5, "premium");
    removeAndArchive();
    assertThat(apply(7, "premium")).containsExactly("premium");
    assertThat(isArchived()).isTrue();
    assertThat(apply(6)).containsExactly("premium");
    assertThat(apply(8)).isEmpty();
    assertThat(apply(7, "premium")).isEmpty();
  }

  private void removeAndArchive() {
    await(OFFERS.offers().apply(seller, id, Action.REMOVE));
    OFFERS.clock.advance(Duration.ofDays(46));
    assertThat(OFFERS.archiveOffers().run(id.home(), OFFERS.clock.instant())).isPositive();
    assertThat(isArchived()).isTrue();
  }

  private List<String> apply(long seq, String... services) {
    long now = EpochMicros.of(OFFERS.clock.instant());
    Offer offer =
        await(OFFERS.writer().apply(new ApplyPromotions(id, List.of(services), seq, now)));
    assertThat(await(OFFERS.offersApi().find(List.of(id))).get(id)).isEqualTo(offer);
    return offer.getPromotionsList();
  }

  private boolean isArchived() {
    return OFFERS
        .database()
        .read(
            tx ->
                tx.sql(
                        "SELECT body IS NULL FROM offer WHERE home = ? AND id = ? AND kind ="
                            + " 'offer'")
                    .set(id.home())
                    .set(id.number())
                    .list(row -> row.booleanAt(1)))
        .getFirst();
  }
}
