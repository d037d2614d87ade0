package dev.torg.offers.feed;

import dev.torg.offers.feed.format.CategoryMapping;
import java.time.Duration;

/// What an operator may set about feeds.
///
/// @param lanes chunks of one upload that are written at once; each takes a connection
/// @param chunk items of one transaction at most
/// @param uploads at once in one process
/// @param uploadsOfOne of one seller among them
/// @param maxDuration of one upload: longer ones are cut off and go on when they are sent again
/// @param removalPercent a feed that would remove a larger share of what was there is stopped
/// @param categories what the categories of others are called here
public record FeedSettings(
    int lanes,
    int chunk,
    int uploads,
    int uploadsPerSeller,
    Duration maxDuration,
    int removalPercent,
    CategoryMapping categories) {
  private static final int LANES = 2;
  private static final int CHUNK = 250;
  private static final int UPLOADS = 16;
  private static final int UPLOADS_PER_SELLER = 4;
  private static final Duration MAX_DURATION = Duration.ofHours(1);
  private static final int DEFAULT_REMOVAL_PERCENT = 50;

  public static FeedSettings defaults() {
    return of(DEFAULT_REMOVAL_PERCENT, CategoryMapping.NONE);
  }

  public static FeedSettings of(int removalPercent, CategoryMapping categories) {
    return new FeedSettings(
        LANES, CHUNK, UPLOADS, UPLOADS_PER_SELLER, MAX_DURATION, removalPercent, categories);
  }

  public FeedSettings withUploads(int uploads, int uploadsOfOne, Duration maxDuration) {
    return new FeedSettings(
        lanes, chunk, uploads, uploadsOfOne, maxDuration, removalPercent, categories);
  }
}
