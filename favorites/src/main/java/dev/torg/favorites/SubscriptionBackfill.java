package dev.torg.favorites;

import com.google.protobuf.Timestamp;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.platform.Home;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// A new subscription whose owner has yet to be notified of the offers activated before it was
/// projected.
///
/// @param kind SEARCH or SELLER
/// @param target the search id or the seller
/// @param seq of the event that asked for it
/// @param createdAt when the owner saved the subscription
/// @param scanFrom offers first activated from then on are to be looked at
public record SubscriptionBackfill(
    FavoriteKind kind, String target, String owner, long seq, Instant createdAt, Instant scanFrom) {
  /// How long an offer may be in flight while a favorite moves to a login. The favorite is older than
  /// its arrival; earlier offers went to the anonymous side.
  private static final Duration MAX_IN_FLIGHT = Duration.ofMinutes(15);

  public Home home() {
    return Home.of(target);
  }

  /// Empty unless the event adds a search or a seller. Times are rounded down to what the table holds:
  /// rounded up they could pass an offer.
  public static Optional<SubscriptionBackfill> of(FavoriteEvent event) {
    boolean subscribes =
        event.getKind() == Favorite.Kind.SEARCH || event.getKind() == Favorite.Kind.SELLER;
    if (!subscribes || !event.getAdded() || event.getRemoved()) {
      return Optional.empty();
    }
    Instant created = micros(event.getCreatedAt());
    Instant recent = micros(event.getAt()).minus(MAX_IN_FLIGHT);
    return Optional.of(
        new SubscriptionBackfill(
            FavoriteKind.of(event.getKindValue()),
            event.getId(),
            event.getOwner(),
            event.getSeq(),
            created,
            created.isAfter(recent) ? created : recent));
  }

  /// Of two requests for one subscription, a scan that serves both.
  public SubscriptionBackfill with(SubscriptionBackfill other) {
    return new SubscriptionBackfill(
        kind,
        target,
        owner,
        Math.max(seq, other.seq),
        earlier(createdAt, other.createdAt),
        earlier(scanFrom, other.scanFrom));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Instant micros(Timestamp at) {
    return Instant.ofEpochSecond(at.getSeconds(), at.getNanos()).truncatedTo(ChronoUnit.MICROS);
  }
}
