package dev.torg.offers.photo.fetch;

import java.time.Duration;

/// How much a fetch may take.
///
/// @param bytes of a photo
/// @param connect until a connection is there
/// @param readTimeout between two pieces of an answer
/// @param totalTimeout from the first address to the last byte, redirects included
/// @param redirects followed
/// @param perHost fetches from one host at once
/// @param atOnce fetches altogether
/// @param queueTimeout how long others wait for a slow host: for a turn there, and for what came with it
public record FetchLimits(
    long bytes,
    Duration connect,
    Duration readTimeout,
    Duration totalTimeout,
    int redirects,
    int perHost,
    int atOnce,
    Duration queueTimeout) {

  /// What an upload may be, too.
  public static final long MAX_BYTES = 20L * 1024 * 1024;

  public static final FetchLimits DEFAULTS =
      new FetchLimits(
          MAX_BYTES,
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          5,
          6,
          48,
          Duration.ofSeconds(10));
}
