package dev.torg.offers.feed;

import static dev.torg.offers.wiring.OffersFixture.await;

import dev.torg.api.v1.Opinion;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.OfferId;

/// Actions of moderators during a feed.
final class FeedModeration {
  private FeedModeration() {}

  static void approve(OffersFixture offers, OfferId offer) {
    giveOpinion(offers, offer, Opinion.Verdict.OK);
  }

  static void ban(OffersFixture offers, OfferId offer) {
    giveOpinion(offers, offer, Opinion.Verdict.BAN);
  }

  private static void giveOpinion(OffersFixture offers, OfferId offer, Opinion.Verdict verdict) {
    await(
        offers
            .moderation()
            .applyOpinion(
                OffersFixture.moderator("judge"),
                offer,
                Opinion.newBuilder().setVerdict(verdict).build()));
  }
}
