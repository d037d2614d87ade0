package dev.torg.alerts.event;

import java.nio.file.Path;
import java.time.Duration;

/// How alerts behave.
///
/// @param snapshot where the engine's snapshot lies
/// @param snapshotEvery how often it is written
/// @param debounce how long a price must rest before it is told
/// @param largeAudience people told at once; a larger audience becomes a fan-out
/// @param popularOfferSavers an offer that more people saved tells prices at most once an hour
/// @param perHour alerts of one search or seller a reader gets one by one in an hour
/// @param perDay instant alerts a reader gets in a day; the rest go to the digest
/// @param windowBytes memory for recent offers
/// @param maxLag alerts of the normal topic that may wait before fan-outs pause
public record AlertSettings(
    Path snapshot,
    Duration snapshotEvery,
    Duration debounce,
    int largeAudience,
    int popularOfferSavers,
    int perHour,
    int perDay,
    long windowBytes,
    long maxLag) {
  /// Of the heap, for recent offers.
  private static final int WINDOW_SHARE = 16;

  /// Beside the other files of the process.
  public static AlertSettings defaults(Path data) {
    return new AlertSettings(
        data.resolve("searches.snapshot"),
        Duration.ofMinutes(10),
        Duration.ofSeconds(60),
        1_000,
        10_000,
        20,
        200,
        Math.min(64L << 20, Runtime.getRuntime().maxMemory() / WINDOW_SHARE),
        3_000);
  }

  public AlertSettings withLargeAudience(int people) {
    return new AlertSettings(
        snapshot,
        snapshotEvery,
        debounce,
        people,
        popularOfferSavers,
        perHour,
        perDay,
        windowBytes,
        maxLag);
  }

  public AlertSettings withPopularOfferSavers(int people) {
    return new AlertSettings(
        snapshot,
        snapshotEvery,
        debounce,
        largeAudience,
        people,
        perHour,
        perDay,
        windowBytes,
        maxLag);
  }
}
