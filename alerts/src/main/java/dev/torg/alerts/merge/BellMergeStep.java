package dev.torg.alerts.merge;

import dev.torg.api.v1.Offer;
import dev.torg.favorites.LoginMergeStep;
import dev.torg.favorites.LoginMergeSteps;
import dev.torg.notifications.BellMerge;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/// The bell goes along at login, without what was taken back meanwhile.
public final class BellMergeStep {
  private BellMergeStep() {}

  /// @param page entries that one step carries
  public static LoginMergeStep step(BellMerge move, Offers offers, int page) {
    return LoginMergeSteps.named(
        "bell",
        (anonymous, login) -> move.page(anonymous, login, page, ids -> banned(offers, ids)));
  }

  private static Set<OfferId> banned(Offers offers, Collection<OfferId> ids) {
    return offers.find(ids).join().entrySet().stream()
        .filter(offer -> offer.getValue().getStatus() == Offer.Status.BANNED)
        .map(offer -> offer.getKey())
        .collect(Collectors.toSet());
  }
}
