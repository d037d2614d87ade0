package dev.torg.favorites.book;

import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.FavoriteSeller;
import dev.torg.favorites.FavoriteKind;

/// Delivery goes into its column, channels into the body.
final class Settings {
  static final DeliverySettings INSTANT =
      DeliverySettings.newBuilder().setDelivery(Delivery.INSTANT).build();

  private Settings() {}

  static FavoriteRow with(FavoriteRow row, DeliverySettings settings) {
    return row.kind() == FavoriteKind.SEARCH ? search(row, settings) : seller(row, settings);
  }

  static FavoriteRow search(FavoriteRow row, DeliverySettings settings) {
    byte[] body =
        FavoriteEvents.search(row).toBuilder()
            .setSettings(settings.toBuilder().clearDelivery())
            .build()
            .toByteArray();
    return row.delivered(delivery(settings), body);
  }

  static FavoriteRow seller(FavoriteRow row, DeliverySettings settings) {
    byte[] body =
        FavoriteSeller.newBuilder()
            .setSettings(settings.toBuilder().clearDelivery())
            .build()
            .toByteArray();
    return row.delivered(delivery(settings), body);
  }

  private static int delivery(DeliverySettings settings) {
    Delivery said = settings.getDelivery();
    return said == Delivery.DELIVERY_UNSPECIFIED ? Delivery.INSTANT_VALUE : said.getNumber();
  }
}
