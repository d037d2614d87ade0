package dev.torg.favorites;

import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A new subscription whose owner must still be notified of the offers activated before it was projected.
///
/// @param kind SEARCH or SELLER
/// @param target the search id or the seller
/// @param seq of the event that requested it
/// @param createdAt when the owner saved the subscription
/// @param scanFrom offers first activated from then on are scanned
public record SubscriptionBackfill(
    FavoriteKind kind, String target, String owner, long seq, Instant createdAt, Instant scanFrom) {
  /// How long an offer may be in flight during a login merge. The favorite is older than its event; earlier
  /// offers were delivered to the anonymous side.
  private static final Duration MAX_IN_FLIGHT = Duration.ofMinutes(15);

  public Home home() {
    return Home.of(target);
  }

  /// Empty unless the event adds a search or a seller. Times are rounded down to the resolution of the table:
  /// rounded up, they could skip an offer.
  public static Optional<SubscriptionBackfill> of(FavoriteEvent event) {
    boolean subscribes =
        event.getKind() == Favorite.Kind.SEARCH || event.getKind() == Favorite.Kind.SELLER;
    if (!subscribes || !event.getAdded() || event.getRemoved()) {
      return Optional.empty();
    }
    Instant created = EpochMicros.instant(event.getCreatedAt());
    Instant recent = EpochMicros.instant(event.getAt()).minus(MAX_IN_FLIGHT);
    return Optional.of(
        new SubscriptionBackfill(
            FavoriteKind.of(event.getKindValue()),
            event.getId(),
            event.getOwner(),
            event.getSeq(),
            created,
            created.isAfter(recent) ? created : recent));
  }

  /// Merges two requests for one subscription into one that serves both.
  public SubscriptionBackfill with(SubscriptionBackfill other) {
    return new SubscriptionBackfill(
        kind,
        target,
        owner,
        Math.max(seq, other.seq),
        earlier(createdAt, other.createdAt),
        earlier(scanFrom, other.scanFrom));
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }
}
