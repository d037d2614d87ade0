package dev.torg.favorites.write;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import dev.torg.api.v1.DeliverySettings;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.FavoriteSeller;
import dev.torg.api.v1.SavedSearch;
import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.OutboxMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Makes the events of a book: one for each offer, search or seller that was saved, removed or got
/// other settings, in the order of the owner's `seq`.
public final class FavoriteEvents {
  public static final String TOPIC = "torg.favorites";

  private FavoriteEvents() {}

  static List<OutboxMessage> of(
      FavoritesUnitOfWork book,
      List<FavoritesUnitOfWork.RowChange> changed,
      EventSequence seq,
      Instant at) {
    List<OutboxMessage> events = new ArrayList<>();
    for (FavoritesUnitOfWork.RowChange slot : changed) {
      FavoriteRow row = slot.after() == null ? slot.before() : slot.after();
      if (row != null && row.kind().isPublished()) {
        OwnerRow owner = book.owner(row.owner());
        owner.seq = seq.after(owner.seq);
        FavoriteEvent event = event(row, slot, owner.seq, at);
        events.add(
            new OutboxMessage(row.home(), owner.seq, TOPIC, row.owner(), event.toByteArray()));
      }
    }
    return events;
  }

  private static FavoriteEvent event(
      FavoriteRow row, FavoritesUnitOfWork.RowChange slot, long seq, Instant at) {
    FavoriteEvent.Builder event =
        FavoriteEvent.newBuilder()
            .setOwner(row.owner())
            .setSeq(seq)
            .setAt(timestamp(at))
            .setKind(Favorite.Kind.forNumber(row.kind().number()))
            .setId(row.id())
            .setCreatedAt(timestamp(row.createdAt()))
            .setRemoved(slot.after() == null)
            .setAdded(reachesBack(slot));
    switch (row.kind()) {
      case OFFER -> event.setPriceHash(row.priceHash()).setPriceVersion(row.priceVersion());
      case SEARCH -> event.setSettings(settings(row)).setQuery(search(row).getQuery());
      case SELLER -> event.setSettings(settings(row));
      case NOTE, COLLECTION, BLOCK -> {}
    }
    return event.build();
  }

  /// Whether there may be offers for this row that found no such row before: it is new, or has taken
  /// over an older time.
  private static boolean reachesBack(FavoritesUnitOfWork.RowChange slot) {
    FavoriteRow before = slot.before();
    FavoriteRow after = slot.after();
    return before == null || (after != null && after.createdAt().isBefore(before.createdAt()));
  }

  /// Delivery from its column, channels from the body.
  public static DeliverySettings settings(FavoriteRow row) {
    DeliverySettings kept =
        row.kind() == FavoriteKind.SEARCH ? search(row).getSettings() : seller(row).getSettings();
    Delivery delivery =
        Objects.requireNonNullElse(Delivery.forNumber(row.delivery()), Delivery.INSTANT);
    return kept.toBuilder().setDelivery(delivery).build();
  }

  public static SavedSearch search(FavoriteRow row) {
    try {
      return SavedSearch.parseFrom(row.body());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored search cannot be read", e);
    }
  }

  public static FavoriteSeller seller(FavoriteRow row) {
    try {
      return FavoriteSeller.parseFrom(row.body());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored seller cannot be read", e);
    }
  }

  public static Timestamp timestamp(Instant at) {
    return Timestamp.newBuilder().setSeconds(at.getEpochSecond()).setNanos(at.getNano()).build();
  }
}
