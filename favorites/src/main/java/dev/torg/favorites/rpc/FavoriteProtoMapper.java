package dev.torg.favorites.rpc;

import dev.torg.api.v1.BatchResult;
import dev.torg.api.v1.BatchResults;
import dev.torg.api.v1.Collection;
import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteNote;
import dev.torg.api.v1.FavoriteOffer;
import dev.torg.api.v1.FavoriteSeller;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.read.SavedItem;
import dev.torg.favorites.service.ItemResult;
import dev.torg.favorites.service.SavedSearchService;
import dev.torg.favorites.write.FavoriteEvents;
import dev.torg.favorites.write.FavoriteRow;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Converts between messages of the API and favorites.
final class FavoriteProtoMapper {
  private static final int MAX_CHANNELS = 10;

  private static final Set<String> CHANNELS = Set.of("EMAIL", "PUSH", "SMS", "WEBHOOK");

  private FavoriteProtoMapper() {}

  static FavoriteKind kind(Favorite.Kind kind) {
    return switch (kind) {
      case OFFER, SEARCH, SELLER, NOTE, COLLECTION -> FavoriteKind.of(kind.getNumber());
      case KIND_UNSPECIFIED, UNRECOGNIZED ->
          throw Failure.invalid(
              "favorite.kind",
              "a kind is required",
              "kind",
              "must be one of OFFER, SEARCH, SELLER, NOTE, COLLECTION");
    };
  }

  static Optional<DeliverySettings> settings(boolean set, DeliverySettings settings) {
    if (set && settings.getDelivery() == Delivery.UNRECOGNIZED) {
      throw Failure.invalid(
          "settings.delivery", "bad settings", "settings.delivery", "INSTANT, DAILY or OFF");
    }
    requireChannels(settings.getChannelsList());
    return set ? Optional.of(settings) : Optional.empty();
  }

  /// Names are stored with every seller of a batch, so only known ones are accepted.
  private static void requireChannels(List<String> channels) {
    if (channels.size() > MAX_CHANNELS) {
      throw Failure.invalid("settings.channels", "bad settings", "settings.channels", "at most 10");
    }
    for (int i = 0; i < channels.size(); i++) {
      if (!CHANNELS.contains(channels.get(i))) {
        throw Failure.invalid(
            "settings.channels",
            "bad settings",
            "settings.channels[" + i + "]",
            "must be one of EMAIL, PUSH, SMS, WEBHOOK");
      }
    }
  }

  static DeliverySettings requiredSettings(boolean set, DeliverySettings settings) {
    return settings(set, settings)
        .orElseThrow(
            () ->
                Failure.invalid(
                    "settings.missing", "delivery settings are required", "settings", "required"));
  }

  static BatchResults results(List<ItemResult> results) {
    BatchResults.Builder all = BatchResults.newBuilder();
    for (ItemResult result : results) {
      Failure.Kind failed = result.failed();
      all.addResults(
          BatchResult.newBuilder()
              .setId(result.id())
              .setCode(failed == null ? "OK" : failed.name()));
    }
    return all.build();
  }

  static FavoriteSeller seller(FavoriteRow row) {
    return FavoriteSeller.newBuilder()
        .setId(row.id())
        .setSettings(FavoriteEvents.settings(row))
        .setCreatedAt(EpochMicros.timestamp(row.createdAt()))
        .build();
  }

  static Collection collection(FavoriteRow row) {
    return Collection.newBuilder()
        .setId(row.id())
        .setName(row.name())
        .setSize(row.size())
        .setCreatedAt(EpochMicros.timestamp(row.createdAt()))
        .build();
  }

  static FavoriteNote note(FavoriteRow row, String text) {
    return FavoriteNote.newBuilder()
        .setOfferId(row.id())
        .setText(text)
        .setCreatedAt(EpochMicros.timestamp(row.createdAt()))
        .build();
  }

  static FavoriteOffer offer(SavedItem savedItem, Map<OfferId, Offer> offers) {
    FavoriteOffer.Builder offer =
        FavoriteOffer.newBuilder()
            .setId(savedItem.row().id())
            .setNote(savedItem.note())
            .addAllCollectionIds(savedItem.collections());
    Offer shown = offers.get(OfferId.parse(savedItem.row().id()));
    return shown == null ? offer.build() : offer.setOffer(shown).build();
  }

  static Favorite favorite(SavedItem savedItem, Map<OfferId, Offer> offers) {
    FavoriteRow row = savedItem.row();
    Favorite.Builder favorite =
        Favorite.newBuilder()
            .setKind(Favorite.Kind.forNumber(row.kind().number()))
            .setId(row.id())
            .setCreatedAt(EpochMicros.timestamp(row.createdAt()));
    return switch (row.kind()) {
      case OFFER -> favorite.setOffer(offer(savedItem, offers)).build();
      case SEARCH -> favorite.setSearch(SavedSearchService.of(row)).build();
      case SELLER -> favorite.setSeller(seller(row)).build();
      case NOTE -> favorite.setNote(note(row, savedItem.note())).build();
      case COLLECTION -> favorite.setCollection(collection(row)).build();
      case BLOCK -> throw new IllegalStateException("blocks are not listed");
    };
  }
}
