package dev.torg.favorites.projection;

import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;

/// Somebody's interest in an offer, seller or search, as a projection keeps it.
record Subscription(String id, String owner, Instant createdAt, int delivery) {
  static Subscription of(FavoriteEvent event) {
    int said = event.getSettings().getDelivery().getNumber();
    return new Subscription(
        event.getId(),
        event.getOwner(),
        Instant.ofEpochSecond(event.getCreatedAt().getSeconds(), event.getCreatedAt().getNanos()),
        said == 0 ? Delivery.INSTANT_VALUE : said);
  }

  long offer() {
    return OfferId.parse(id).number();
  }

  /// The home of what it is about.
  static Home home(FavoriteEvent event) {
    return switch (event.getKind()) {
      case OFFER -> OfferId.parse(event.getId()).home();
      default -> Home.of(event.getId());
    };
  }
}
