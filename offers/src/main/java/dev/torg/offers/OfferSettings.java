package dev.torg.offers;

import dev.torg.offers.photo.PhotoSettings;
import java.nio.file.Path;
import java.time.Duration;

/// What an operator may set about offers.
///
/// @param lifetime how long an offer stays active before it expires
/// @param archiveAfter how long a removed or expired offer stays before its body moves away; above
///     the 30 days in which a feed may revive what it removed
/// @param claimFor how long a moderator holds what was claimed from the queue
/// @param writers batches of writes at once; each takes a connection
/// @param readers batches of reads at once; each takes a connection
/// @param photos about photos
public record OfferSettings(
    Duration lifetime,
    Duration archiveAfter,
    Duration claimFor,
    int writers,
    int readers,
    PhotoSettings photos) {
  private static final int WRITERS = 2;
  private static final int READERS = 2;

  public static OfferSettings defaults() {
    return of(Duration.ofDays(60), Duration.ofDays(45), Duration.ofMinutes(15));
  }

  public static OfferSettings of(Duration lifetime, Duration archiveAfter, Duration claimFor) {
    PhotoSettings photos = PhotoSettings.defaults(Path.of("data", "photos"));
    return new OfferSettings(lifetime, archiveAfter, claimFor, WRITERS, READERS, photos);
  }

  public OfferSettings withPhotos(PhotoSettings others) {
    return new OfferSettings(lifetime, archiveAfter, claimFor, writers, readers, others);
  }
}
