package dev.torg.offers.draft;

import dev.torg.offers.category.OfferValidator;
import dev.torg.offers.draft.Takeover.Step;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.offers.wiring.OffersFixture;
import java.util.function.Consumer;

/// A service whose takeovers report the steps that they reach.
final class TakeoverSteps {
  private TakeoverSteps() {}

  static DraftService service(OffersFixture offers, PhotoPartStore photos, Consumer<Step> reached) {
    return new DraftService(
        offers.database(),
        new OfferValidator(offers.categories),
        photos,
        offers.clock,
        Runnable::run,
        new Takeover(offers.database(), photos, reached));
  }
}
