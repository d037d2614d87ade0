package dev.torg.offers;

import java.time.Duration;

/// The operator's settings for offers.
///
/// @param lifetime how long an offer stays active before it expires
/// @param archiveAfter how long a removed or expired offer is stored before its body is archived; longer
///     than the 30 days in which its owner sees a removed offer and a feed may restore it
/// @param claimFor how long a claim of a moderator on a queue entry lasts
/// @param writers concurrent write batches; each uses a connection
/// @param readers concurrent read batches; each uses a connection
public record OfferSettings(
    Duration lifetime, Duration archiveAfter, Duration claimFor, int writers, int readers) {
  private static final int WRITERS = 2;
  private static final int READERS = 2;

  public static OfferSettings defaults() {
    return of(Duration.ofDays(60), Duration.ofDays(45), Duration.ofMinutes(15));
  }

  public static OfferSettings of(Duration lifetime, Duration archiveAfter, Duration claimFor) {
    return new OfferSettings(lifetime, archiveAfter, claimFor, WRITERS, READERS);
  }
}
