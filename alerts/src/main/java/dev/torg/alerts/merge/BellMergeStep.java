package dev.torg.alerts.merge;

import dev.torg.api.v1.Offer;
import dev.torg.favorites.LoginMergeStep;
import dev.torg.notifications.BellMerge;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/// The step of the login merge that moves the bell, without notifications of banned offers.
public final class BellMergeStep {
  private BellMergeStep() {}

  /// @param pageSize entries per page
  public static LoginMergeStep step(BellMerge merge, Offers offers, int pageSize) {
    return LoginMergeStep.named(
        "bell",
        (anonymous, login) -> merge.page(anonymous, login, pageSize, ids -> banned(offers, ids)));
  }

  private static Set<OfferId> banned(Offers offers, Collection<OfferId> ids) {
    return offers.find(ids).join().entrySet().stream()
        .filter(offer -> offer.getValue().getStatus() == Offer.Status.BANNED)
        .map(offer -> offer.getKey())
        .collect(Collectors.toSet());
  }
}
