package dev.torg.alerts.event;

import java.nio.file.Path;
import java.time.Duration;

/// Settings of alerts.
///
/// @param snapshot the file of the engine's snapshot
/// @param snapshotEvery how often the snapshot is written
/// @param debounce how long a price must be unchanged before savers are notified
/// @param largeAudience recipients alerted directly; a larger audience becomes a fan-out
/// @param popularOfferSavers an offer with more savers causes price alerts at most once an hour
/// @param perHour alerts of one search or seller that a recipient gets one by one in an hour
/// @param perDay instant alerts that a recipient gets in a day; further ones go to the digest
/// @param windowBytes memory for recent offers
/// @param maxLag alerts of the normal topic that may wait before fan-outs pause
/// @param publicUrl the address at which users reach this installation, for links in notifications; empty if it is unknown
public record AlertSettings(
    Path snapshot,
    Duration snapshotEvery,
    Duration debounce,
    int largeAudience,
    int popularOfferSavers,
    int perHour,
    int perDay,
    long windowBytes,
    long maxLag,
    String publicUrl) {
  /// Share of the heap for recent offers.
  private static final int WINDOW_SHARE = 16;

  /// In the data directory of the process.
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
        3_000,
        "");
  }

  public AlertSettings withLargeAudience(int recipients) {
    return new AlertSettings(
        snapshot,
        snapshotEvery,
        debounce,
        recipients,
        popularOfferSavers,
        perHour,
        perDay,
        windowBytes,
        maxLag,
        publicUrl);
  }

  public AlertSettings withPopularOfferSavers(int recipients) {
    return new AlertSettings(
        snapshot,
        snapshotEvery,
        debounce,
        largeAudience,
        recipients,
        perHour,
        perDay,
        windowBytes,
        maxLag,
        publicUrl);
  }

  public AlertSettings withPublicUrl(String url) {
    return new AlertSettings(
        snapshot,
        snapshotEvery,
        debounce,
        largeAudience,
        popularOfferSavers,
        perHour,
        perDay,
        windowBytes,
        maxLag,
        url);
  }
}
