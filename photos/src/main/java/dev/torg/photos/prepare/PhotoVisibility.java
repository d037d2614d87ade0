package dev.torg.photos.prepare;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.torg.api.v1.Offer.Status;
import dev.torg.photos.PhotoIds;
import dev.torg.photos.PhotoOwnerLookup;
import dev.torg.platform.db.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decides who may see the pictures of a photo, by the status of the offer that shows it. A decision is
/// cached for [#CACHE_TIME] in each process, so a ban or removal takes effect everywhere after that time.
///
/// Pictures are addressed by an id that cannot be guessed and are fetched without a token. Those of
/// pending and withdrawn offers are therefore served: the owner and the moderators must see them.
public final class PhotoVisibility {
  /// Less than a minute together with the time that clients may cache a picture.
  public static final Duration CACHE_TIME = Duration.ofSeconds(25);

  private static final int MAX_CACHED_PHOTOS = 100_000;

  /// Who may see a photo's pictures.
  public enum Audience {
    EVERYONE,
    /// The offer is banned: visible to moderators only.
    MODERATORS,
    NONE
  }

  private record Cached(Audience audience, Instant at) {
    boolean isFresh(Instant now) {
      return !now.isBefore(at) && now.isBefore(at.plus(CACHE_TIME));
    }
  }

  private final Database database;
  private final PhotoOwnerLookup offers;
  private final InstantSource clock;
  private final PhotoStore photos = new PhotoStore();
  private final Cache<String, Cached> decisions =
      Caffeine.newBuilder().maximumSize(MAX_CACHED_PHOTOS).build();

  public PhotoVisibility(Database database, PhotoOwnerLookup offers, InstantSource clock) {
    this.database = database;
    this.offers = offers;
    this.clock = clock;
  }

  /// NONE if the photo does not exist, is not ready or was removed. Blocks.
  public Audience of(String photo) {
    if (!PhotoIds.isId(photo)) {
      return Audience.NONE;
    }
    Instant now = clock.instant();
    Cached cached = decisions.getIfPresent(photo);
    if (cached == null || !cached.isFresh(now)) {
      cached = decisions.asMap().compute(photo, (id, old) -> refreshed(id, old, now));
    }
    return cached == null ? Audience.NONE : cached.audience();
  }

  /// An unknown photo is not cached: it may become ready soon, and callers can make up any number of ids.
  private @Nullable Cached refreshed(String photo, @Nullable Cached old, Instant now) {
    if (old != null && old.isFresh(now)) {
      return old;
    }
    return database
        .read(tx -> photos.owner(tx, photo))
        .map(owner -> new Cached(audience(owner), now))
        .orElse(null);
  }

  private Audience audience(PhotoStore.Owner owner) {
    return owner.offer().map(offer -> of(offers.status(offer))).orElse(Audience.EVERYONE);
  }

  static Audience of(Optional<Status> offer) {
    return switch (offer.orElse(Status.REMOVED)) {
      case ACTIVE, EXPIRED, SOLD, PENDING, WITHDRAWN -> Audience.EVERYONE;
      case BANNED -> Audience.MODERATORS;
      case REMOVED, STATUS_UNSPECIFIED, UNRECOGNIZED -> Audience.NONE;
    };
  }
}
