package dev.torg.photos;

import java.time.Duration;

/// Limits of fetches.
///
/// @param bytes of a photo
/// @param connect until a connection is established
/// @param readTimeout between two pieces of a response
/// @param totalTimeout from the first address to the last byte, redirects included
/// @param redirects followed
/// @param perHost concurrent fetches from one host
/// @param atOnce concurrent fetches altogether
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

  /// Of a photo, fetched or uploaded.
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
