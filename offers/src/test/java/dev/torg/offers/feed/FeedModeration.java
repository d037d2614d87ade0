package dev.torg.offers.feed;

import static dev.torg.offers.wiring.TestOffers.await;

import dev.torg.api.v1.Opinion;
import dev.torg.offers.wiring.TestOffers;
import dev.torg.platform.OfferId;

/// Actions of moderators during a feed.
final class FeedModeration {
  private FeedModeration() {}

  static void approve(TestOffers offers, OfferId offer) {
    judge(offers, offer, Opinion.Verdict.OK);
  }

  static void ban(TestOffers offers, OfferId offer) {
    judge(offers, offer, Opinion.Verdict.BAN);
  }

  private static void judge(TestOffers offers, OfferId offer, Opinion.Verdict verdict) {
    await(
        offers
            .moderation()
            .applyOpinion(
                TestOffers.moderator("judge"),
                offer,
                Opinion.newBuilder().setVerdict(verdict).build()));
  }
}
