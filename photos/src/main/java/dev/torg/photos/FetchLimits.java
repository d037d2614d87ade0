package dev.torg.photos;

import java.time.Duration;

/// Limits of fetches.
///
/// @param bytes maximum size of a photo
/// @param connect time until a connection is established
/// @param readTimeout time between two pieces of a response
/// @param totalTimeout time from the first address to the last byte, redirects included
/// @param redirects maximum number of redirects followed
/// @param perHost concurrent fetches from one host
/// @param atOnce concurrent fetches in total
/// @param queueTimeout how long a request waits for a slow host, and a batch for its slowest request
public record FetchLimits(
    long bytes,
    Duration connect,
    Duration readTimeout,
    Duration totalTimeout,
    int redirects,
    int perHost,
    int atOnce,
    Duration queueTimeout) {

  /// Maximum size of a photo, fetched or uploaded.
  public static final long MAX_BYTES = 20L * 1024 * 1024;

  public static FetchLimits defaults() {
    return new FetchLimits(
        MAX_BYTES,
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        5,
        6,
        48,
        Duration.ofSeconds(10));
  }
}
