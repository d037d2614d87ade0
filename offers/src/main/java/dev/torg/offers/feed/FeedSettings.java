package dev.torg.offers.feed;

import dev.torg.offers.feed.format.CategoryMapping;
import java.time.Duration;

/// The operator's settings for feeds.
///
/// @param lanes concurrent chunks of one upload; each uses a connection
/// @param chunk maximum number of items of one transaction
/// @param uploads maximum number of concurrent uploads in one process
/// @param uploadsPerSeller maximum number of concurrent uploads of one seller in one process
/// @param maxDuration of one upload; a longer one is interrupted and resumes when it is sent again
/// @param maxCpuLoad feeds pause while the machine's CPU load is higher; 1 never pauses
/// @param removalPercent a feed that would remove a larger share of the existing offers is stopped
/// @param categories maps categories of shops to those of Torg
public record FeedSettings(
    int lanes,
    int chunk,
    int uploads,
    int uploadsPerSeller,
    Duration maxDuration,
    double maxCpuLoad,
    int removalPercent,
    CategoryMapping categories) {
  private static final int LANES = 2;
  private static final int CHUNK = 250;
  private static final int UPLOADS = 16;
  private static final int UPLOADS_PER_SELLER = 4;
  private static final Duration MAX_DURATION = Duration.ofHours(1);
  private static final double MAX_CPU_LOAD = 0.85;
  private static final int DEFAULT_REMOVAL_PERCENT = 50;

  public static FeedSettings defaults() {
    return of(DEFAULT_REMOVAL_PERCENT, CategoryMapping.NONE);
  }

  public static FeedSettings of(int removalPercent, CategoryMapping categories) {
    return new FeedSettings(
        LANES,
        CHUNK,
        UPLOADS,
        UPLOADS_PER_SELLER,
        MAX_DURATION,
        MAX_CPU_LOAD,
        removalPercent,
        categories);
  }

  public FeedSettings withUploads(int uploads, int uploadsOfOne, Duration maxDuration) {
    return new FeedSettings(
        lanes, chunk, uploads, uploadsOfOne, maxDuration, maxCpuLoad, removalPercent, categories);
  }

  public FeedSettings withMaxCpuLoad(double load) {
    return new FeedSettings(
        lanes, chunk, uploads, uploadsPerSeller, maxDuration, load, removalPercent, categories);
  }
}
