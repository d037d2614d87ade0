package dev.torg.favorites.projection;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;

/// A row of a projection: an owner who saved an offer, follows a seller or subscribes to a search.
record Subscription(String id, String owner, Instant createdAt, int delivery) {
  static Subscription of(FavoriteEvent event) {
    int delivery = event.getSettings().getDelivery().getNumber();
    return new Subscription(
        event.getId(),
        event.getOwner(),
        EpochMicros.instant(event.getCreatedAt()),
        delivery == 0 ? Delivery.INSTANT_VALUE : delivery);
  }

  long offer() {
    return OfferId.parse(id).number();
  }

  /// The home of the offer, seller or search.
  static Home home(FavoriteEvent event) {
    return switch (event.getKind()) {
      case OFFER -> OfferId.parse(event.getId()).home();
      default -> Home.of(event.getId());
    };
  }
}
