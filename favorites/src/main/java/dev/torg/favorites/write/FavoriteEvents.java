package dev.torg.favorites.write;

import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.FavoriteSeller;
import dev.torg.api.v1.SavedSearch;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.FavoriteTopics;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.OutboxMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Creates the events of a unit of work: one for each offer, search or seller that was saved, removed or
/// got other settings, in the order of the owner's `seq`.
public final class FavoriteEvents {
  private FavoriteEvents() {}

  static List<OutboxMessage> of(
      FavoritesUnitOfWork work,
      List<FavoritesUnitOfWork.RowChange> changed,
      EventSequence seq,
      Instant at) {
    List<OutboxMessage> events = new ArrayList<>();
    for (FavoritesUnitOfWork.RowChange rowChange : changed) {
      FavoriteRow row = rowChange.after() == null ? rowChange.before() : rowChange.after();
      if (row != null && row.kind().isPublished()) {
        OwnerRow owner = work.owner(row.owner());
        owner.seq = seq.after(owner.seq);
        FavoriteEvent event = event(row, rowChange, owner.seq, at);
        events.add(
            new OutboxMessage(
                row.home(), owner.seq, FavoriteTopics.FAVORITES, row.owner(), event.toByteArray()));
      }
    }
    return events;
  }

  private static FavoriteEvent event(
      FavoriteRow row, FavoritesUnitOfWork.RowChange rowChange, long seq, Instant at) {
    FavoriteEvent.Builder event =
        FavoriteEvent.newBuilder()
            .setOwner(row.owner())
            .setSeq(seq)
            .setAt(EpochMicros.timestamp(at))
            .setKind(Favorite.Kind.forNumber(row.kind().number()))
            .setId(row.id())
            .setCreatedAt(EpochMicros.timestamp(row.createdAt()))
            .setRemoved(rowChange.after() == null)
            .setAdded(reachesBack(rowChange));
    switch (row.kind()) {
      case OFFER -> event.setPriceHash(row.priceHash()).setPriceVersion(row.priceVersion());
      case SEARCH -> event.setSettings(settings(row)).setQuery(search(row).getQuery());
      case SELLER -> event.setSettings(settings(row));
      case NOTE, COLLECTION, BLOCK -> {}
    }
    return event.build();
  }

  /// Whether earlier offers may match this row: it is new, or has taken over an older time.
  private static boolean reachesBack(FavoritesUnitOfWork.RowChange rowChange) {
    FavoriteRow before = rowChange.before();
    FavoriteRow after = rowChange.after();
    return before == null || (after != null && after.createdAt().isBefore(before.createdAt()));
  }

  /// Delivery from its column, channels from the body.
  public static DeliverySettings settings(FavoriteRow row) {
    DeliverySettings stored =
        row.kind() == FavoriteKind.SEARCH ? search(row).getSettings() : seller(row).getSettings();
    Delivery delivery =
        Objects.requireNonNullElse(Delivery.forNumber(row.delivery()), Delivery.INSTANT);
    return stored.toBuilder().setDelivery(delivery).build();
  }

  public static SavedSearch search(FavoriteRow row) {
    return StoredProto.parse(SavedSearch.parser(), row.body(), "search");
  }

  public static FavoriteSeller seller(FavoriteRow row) {
    return StoredProto.parse(FavoriteSeller.parser(), row.body(), "seller");
  }
}
