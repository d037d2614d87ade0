package dev.torg.offers.moderation;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.moderator;
import static dev.torg.offers.wiring.OffersFixture.pet;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.Opinion.Verdict;
import dev.torg.offers.OfferSettings;
import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryFile;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import dev.torg.testkit.TestDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Offers of a premoderated category whose approved offers stay visible while an edit is reviewed.
class VisibleReviewIT {
  private static final String TREE =
      """
      categories:
        - id: pets
          names: {en: Pets}
          premoderated: true
          visibleWhileReviewed: true
          attributes: [{key: species, type: text, names: {en: Species}}]
      """;

  @RegisterExtension
  static final OffersFixture OFFERS = new OffersFixture(OfferSettings.defaults(), categories());

  private static final Caller SELLER = user("seller");

  @Test
  void edit_staysVisibleAndQueued_untilItIsApproved() {
    Offer offer = approved();
    assertThat(edit(offer).getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(causes(offer)).containsExactly("EDITED");
    assertThat(await(OFFERS.offers().get(Optional.empty(), id(offer))).getTitle())
        .isEqualTo("A tiger");
    assertThat(giveOpinion(offer, Verdict.OK).getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(causes(offer)).isEmpty();
  }

  private static Offer approved() {
    Offer offer = await(OFFERS.offers().publish(SELLER, pet("A cat")));
    return giveOpinion(offer, Verdict.OK);
  }

  private static Offer edit(Offer offer) {
    return await(OFFERS.offers().update(SELLER, id(offer), pet("A tiger"), OptionalLong.empty()));
  }

  private static Offer giveOpinion(Offer offer, Verdict verdict) {
    return await(
        OFFERS
            .moderation()
            .applyOpinion(
                moderator("judge"), id(offer), Opinion.newBuilder().setVerdict(verdict).build()));
  }

  private static List<String> causes(Offer offer) {
    return OFFERS.queueCauses(offer);
  }

  private static OfferId id(Offer offer) {
    return OfferId.parse(offer.getId());
  }

  private static Categories categories() {
    try {
      Path file = TestDirectory.create("categories").resolve("categories.yaml");
      return CategoryFile.read(Files.writeString(file, TREE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
