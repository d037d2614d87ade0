package dev.torg.offers.life;

import static dev.torg.offers.life.OfferSituations.DAY;
import static dev.torg.offers.life.OfferSituations.FULL_TERM;
import static dev.torg.offers.life.OfferSituations.NOW;
import static dev.torg.offers.life.OfferSituations.OPEN;
import static dev.torg.offers.life.OfferSituations.TERMS;
import static dev.torg.offers.life.OfferSituations.content;
import static dev.torg.offers.life.OfferSituations.offer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import org.junit.jupiter.api.Test;

class TermsTest {
  @Test
  void activate_firstTime_beginsTheTerm() {
    Offer.Builder offer = Offer.newBuilder();
    TERMS.activate(offer, NOW);
    assertThat(Micros.of(offer.getActivatedAt())).isEqualTo(NOW);
    assertThat(Micros.of(offer.getExpiresAt())).isEqualTo(FULL_TERM);
  }

  @Test
  void activate_again_keepsTheFirstActivation() {
    Offer.Builder offer = Offer.newBuilder().setActivatedAt(Micros.timestamp(NOW - 90 * DAY));
    TERMS.activate(offer, NOW);
    assertThat(Micros.of(offer.getActivatedAt())).isEqualTo(NOW - 90 * DAY);
  }

  /// An imported offer has an end and no activation.
  @Test
  void activate_importedOffer_isNotNew() {
    Offer.Builder offer = Offer.newBuilder().setExpiresAt(Micros.timestamp(NOW - DAY));
    TERMS.activate(offer, NOW);
    assertThat(offer.hasActivatedAt()).isFalse();
    assertThat(Micros.of(offer.getExpiresAt())).isEqualTo(FULL_TERM);
  }

  @Test
  void prolong_neverShortens() {
    Offer.Builder offer = Offer.newBuilder().setExpiresAt(Micros.timestamp(FULL_TERM + 1));
    TERMS.prolong(offer, NOW);
    assertThat(Micros.of(offer.getExpiresAt())).isEqualTo(FULL_TERM + 1);
    TERMS.prolong(offer, NOW + 2);
    assertThat(Micros.of(offer.getExpiresAt())).isEqualTo(FULL_TERM + 2);
  }

  @Test
  void said_copiesTheStatementsAndClearsWhatIsNoLongerStated() {
    Offer before = offer(Status.ACTIVE).shown();
    Offer bare = Offer.newBuilder().setCategory("jobs").setTitle("Bare").build();
    assertThat(Terms.said(before.toBuilder(), bare).build())
        .isEqualTo(
            before.toBuilder()
                .setCategory("jobs")
                .setTitle("Bare")
                .clearDescription()
                .clearRegion()
                .clearExternalId()
                .clearPrice()
                .clearAttributes()
                .build());
    assertThat(Terms.said(bare.toBuilder(), content(OPEN, "Full")).build())
        .isEqualTo(content(OPEN, "Full"));
  }

  @Test
  void category_ofTheTree_orNone() {
    assertThat(TERMS.category(Offer.newBuilder().setCategory(OPEN)))
        .hasValueSatisfying(category -> assertThat(category.id()).isEqualTo(OPEN));
    assertThat(TERMS.category(Offer.newBuilder().setCategory("gone"))).isEmpty();
  }
}
