package dev.torg.favorites.write;

import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.FavoriteSeller;
import dev.torg.favorites.FavoriteKind;

/// Stores delivery in its column, channels in the body. Without a delivery the stored one stays; the first
/// is INSTANT.
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

  /// Only the channels are stored in the body, whatever the request contains.
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
