package dev.torg.offers.photo.fetch;

import java.time.Duration;

/// How much a fetch may take.
///
/// @param bytes of a photo
/// @param connect until a connection is there
/// @param silence between two pieces of an answer
/// @param whole from the first address to the last byte, redirects included
/// @param redirects followed
/// @param perHost fetches from one host at once
/// @param atOnce fetches altogether
/// @param patience how long others wait for a slow host: for a turn there, and for what came with it
public record FetchLimits(
    long bytes,
    Duration connect,
    Duration silence,
    Duration whole,
    int redirects,
    int perHost,
    int atOnce,
    Duration patience) {

  /// What an upload may be, too.
  public static final long MOST_BYTES = 20L * 1024 * 1024;

  public static final FetchLimits USUAL =
      new FetchLimits(
          MOST_BYTES,
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          5,
          6,
          48,
          Duration.ofSeconds(10));
}
