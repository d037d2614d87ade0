package dev.torg.offers.lifecycle;

import static dev.torg.offers.lifecycle.OfferSituations.DAY;
import static dev.torg.offers.lifecycle.OfferSituations.FULL_TERM;
import static dev.torg.offers.lifecycle.OfferSituations.NOW;
import static dev.torg.offers.lifecycle.OfferSituations.OPEN;
import static dev.torg.offers.lifecycle.OfferSituations.TERMS;
import static dev.torg.offers.lifecycle.OfferSituations.content;
import static dev.torg.offers.lifecycle.OfferSituations.offer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.EpochMicros;
import org.junit.jupiter.api.Test;

class PublishingTermsTest {
  @Test
  void activate_firstTime_beginsTheTerm() {
    Offer.Builder offer = Offer.newBuilder();
    TERMS.activate(offer, NOW);
    assertThat(EpochMicros.of(offer.getActivatedAt())).isEqualTo(NOW);
    assertThat(EpochMicros.of(offer.getExpiresAt())).isEqualTo(FULL_TERM);
  }

  @Test
  void activate_twice_keepsFirstActivation() {
    Offer.Builder offer = Offer.newBuilder().setActivatedAt(EpochMicros.timestamp(NOW - 90 * DAY));
    TERMS.activate(offer, NOW);
    assertThat(EpochMicros.of(offer.getActivatedAt())).isEqualTo(NOW - 90 * DAY);
  }

  /// An imported offer has an expiry time and no activation time.
  @Test
  void activate_importedOffer_isNotNew() {
    Offer.Builder offer = Offer.newBuilder().setExpiresAt(EpochMicros.timestamp(NOW - DAY));
    TERMS.activate(offer, NOW);
    assertThat(offer.hasActivatedAt()).isFalse();
    assertThat(EpochMicros.of(offer.getExpiresAt())).isEqualTo(FULL_TERM);
  }

  @Test
  void prolong_neverShortens() {
    Offer.Builder offer = Offer.newBuilder().setExpiresAt(EpochMicros.timestamp(FULL_TERM + 1));
    TERMS.prolong(offer, NOW);
    assertThat(EpochMicros.of(offer.getExpiresAt())).isEqualTo(FULL_TERM + 1);
    TERMS.prolong(offer, NOW + 2);
    assertThat(EpochMicros.of(offer.getExpiresAt())).isEqualTo(FULL_TERM + 2);
  }

  @Test
  void copySellerContent_copiesStatedFieldsAndClearsOthers() {
    Offer before = offer(Status.ACTIVE).shown();
    Offer bare = Offer.newBuilder().setCategory("jobs").setTitle("Bare").build();
    assertThat(PublishingTerms.copySellerContent(before.toBuilder(), bare).build())
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
    assertThat(PublishingTerms.copySellerContent(bare.toBuilder(), content(OPEN, "Full")).build())
        .isEqualTo(content(OPEN, "Full"));
  }

  @Test
  void category_ofTheTree_orNone() {
    assertThat(TERMS.category(Offer.newBuilder().setCategory(OPEN)))
        .hasValueSatisfying(category -> assertThat(category.id()).isEqualTo(OPEN));
    assertThat(TERMS.category(Offer.newBuilder().setCategory("gone"))).isEmpty();
  }
}
