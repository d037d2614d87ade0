package dev.torg.offers.moderation;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.kindOf;
import static dev.torg.offers.wiring.OffersFixture.moderator;
import static dev.torg.offers.wiring.OffersFixture.pet;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.Opinion.Verdict;
import dev.torg.api.v1.Preset.Name;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Offers of a premoderated category that are hidden during a review, the default.
class PremoderationIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final AtomicInteger SELLERS = new AtomicInteger();

  private final Caller seller = user("pets-" + SELLERS.incrementAndGet());

  @Test
  void edit_approvedOffer_hidesItUntilApproved() {
    Offer offer = approved();
    Offer edited = edit(offer, pet("A tiger"));
    assertThat(edited.getStatus()).isEqualTo(Status.PENDING);
    assertThat(causes(offer)).containsExactly("PENDING", "EDITED");
    assertThat(kindOf(() -> OFFERS.offers().get(Optional.empty(), id(offer))))
        .isEqualTo("NOT_FOUND");
    assertThat(counts()).containsExactly(0L, 1L);

    Offer approved = giveOpinion(offer, Verdict.OK);
    assertThat(approved.getStatus()).isEqualTo(Status.ACTIVE);
    assertThat(approved.getActivatedAt()).isEqualTo(offer.getActivatedAt());
    assertThat(approved.getExpiresAt()).isEqualTo(offer.getExpiresAt());
    assertThat(causes(offer)).isEmpty();
    assertThat(counts()).containsExactly(1L, 0L);
    assertThat(statuses(offer))
        .containsExactly(Status.PENDING, Status.ACTIVE, Status.PENDING, Status.ACTIVE);
  }

  @Test
  void reactivate_afterAnEditWhileWithdrawn_isReviewed() {
    Offer offer = approved();
    act(offer, Action.WITHDRAW);
    assertThat(edit(offer, pet("A tiger")).getStatus()).isEqualTo(Status.WITHDRAWN);
    assertThat(act(offer, Action.REACTIVATE).getStatus()).isEqualTo(Status.PENDING);
    assertThat(causes(offer)).containsExactly("PENDING", "EDITED");
    assertThat(kindOf(() -> OFFERS.offers().apply(seller, id(offer), Action.REACTIVATE)))
        .isEqualTo("CONFLICT");
    assertThat(giveOpinion(offer, Verdict.OK).getStatus()).isEqualTo(Status.ACTIVE);
  }

  @Test
  void reactivate_withdrawnOfferWithApprovedEdit_isNotReviewed() {
    Offer offer = approved();
    act(offer, Action.WITHDRAW);
    edit(offer, pet("A tiger"));
    assertThat(giveOpinion(offer, Verdict.OK).getStatus()).isEqualTo(Status.WITHDRAWN);
    assertThat(act(offer, Action.REACTIVATE).getStatus()).isEqualTo(Status.ACTIVE);
  }

  private Offer approved() {
    Offer offer = await(OFFERS.offers().publish(seller, pet("A cat")));
    Offer approved = giveOpinion(offer, Verdict.OK);
    assertThat(approved.getStatus()).isEqualTo(Status.ACTIVE);
    return approved;
  }

  private Offer edit(Offer offer, Offer content) {
    return await(OFFERS.offers().update(seller, id(offer), content, OptionalLong.empty()));
  }

  private Offer act(Offer offer, Action action) {
    return await(OFFERS.offers().apply(seller, id(offer), action));
  }

  private static Offer giveOpinion(Offer offer, Verdict verdict) {
    Opinion opinion = Opinion.newBuilder().setVerdict(verdict).build();
    return await(OFFERS.moderation().applyOpinion(moderator("judge"), id(offer), opinion));
  }

  private List<Long> counts() {
    var counts = await(OFFERS.dashboard().counts(seller, seller.subject()));
    return List.of(counts.getOrDefault(Name.ACTIVE, 0L), counts.getOrDefault(Name.PENDING, 0L));
  }

  private static List<Status> statuses(Offer offer) {
    return OFFERS.events(offer.getId()).stream()
        .map(OfferEvent::getAfter)
        .map(Offer::getStatus)
        .toList();
  }

  private static List<String> causes(Offer offer) {
    return OFFERS.queueCauses(offer);
  }

  private static OfferId id(Offer offer) {
    return OfferId.parse(offer.getId());
  }
}
