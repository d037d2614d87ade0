package dev.torg.alerts;

import dev.torg.api.v1.Offer;
import dev.torg.favorites.MoveStep;
import dev.torg.favorites.MoveSteps;
import dev.torg.notifications.BellMove;
import dev.torg.offers.Offers;
import dev.torg.platform.OfferId;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/// The bell goes along at login, without what was taken back meanwhile.
public final class MoveBell {
  private MoveBell() {}

  /// @param page entries that one step carries
  public static MoveStep step(BellMove move, Offers offers, int page) {
    return MoveSteps.named(
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
