package dev.torg.favorites.write;

import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.FavoriteSeller;
import dev.torg.favorites.FavoriteKind;

/// Delivery goes into its column, channels into the body. Where no delivery is said, it stays what it
/// is, at first INSTANT.
final class DeliverySettingsCodec {
  static final DeliverySettings INSTANT =
      DeliverySettings.newBuilder().setDelivery(Delivery.INSTANT).build();

  private DeliverySettingsCodec() {}

  static FavoriteRow with(FavoriteRow row, DeliverySettings settings) {
    return row.kind() == FavoriteKind.SEARCH ? search(row, settings) : seller(row, settings);
  }

  static FavoriteRow search(FavoriteRow row, DeliverySettings settings) {
    byte[] body =
        FavoriteEvents.search(row).toBuilder()
            .setSettings(channelsOnly(settings))
            .build()
            .toByteArray();
    return row.delivered(delivery(row, settings), body);
  }

  static FavoriteRow seller(FavoriteRow row, DeliverySettings settings) {
    byte[] body =
        FavoriteSeller.newBuilder().setSettings(channelsOnly(settings)).build().toByteArray();
    return row.delivered(delivery(row, settings), body);
  }

  /// What goes into the body: nothing but the channels, whatever else a request brought along.
  private static DeliverySettings channelsOnly(DeliverySettings settings) {
    return DeliverySettings.newBuilder().addAllChannels(settings.getChannelsList()).build();
  }

  /// DAILY where it would be INSTANT.
  static FavoriteRow capAtDaily(FavoriteRow row) {
    return row.delivery() == Delivery.INSTANT_VALUE
        ? row.delivered(Delivery.DAILY_VALUE, row.body())
        : row;
  }

  private static int delivery(FavoriteRow row, DeliverySettings settings) {
    if (settings.getDelivery() != Delivery.DELIVERY_UNSPECIFIED) {
      return settings.getDelivery().getNumber();
    }
    return row.delivery() == 0 ? Delivery.INSTANT_VALUE : row.delivery();
  }
}
