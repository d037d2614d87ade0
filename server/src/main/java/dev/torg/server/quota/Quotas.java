package dev.torg.server.quota;

import java.time.Duration;

/// How much callers may hold concurrently.
///
/// - `connections` by address: beyond it a new connection is closed. Trusted proxies have no limit by
///   address.
/// - `http2Streams`: concurrent streams of one connection, as announced to clients.
/// - `calls` in flight by address, from their headers until their response is written.
/// - endless `streams` by address: events, gRPC health watches, reflection.
/// - `requestBytes` by address: memory of large requests that are in progress.
/// - `responseBytes` by address: memory of large responses that are not yet written.
/// - `stall`: a response of which nothing is read for this long is reset.
/// - `photoUploads` by caller, concurrently.
/// - `itemsPerCall`: this many items of a batch count as one more call of the rate limit.
public record Quotas(
    Bound connections,
    int http2Streams,
    Bound calls,
    Bound streams,
    Bound requestBytes,
    Bound responseBytes,
    Duration stall,
    Bound photoUploads,
    int itemsPerCall) {
  /// The part of the heap for requests, and for responses.
  private static final int HEAP_FRACTION = 8;

  /// The part of that memory for one address.
  private static final int ADDRESS_FRACTION = 4;

  public static Quotas defaults() {
    return new Quotas(
        new Bound(20_000, 1_000),
        100,
        new Bound(20_000, 1_000),
        new Bound(10_000, 200),
        memory(Runtime.getRuntime().maxMemory() / HEAP_FRACTION),
        memory(Runtime.getRuntime().maxMemory() / HEAP_FRACTION),
        Duration.ofMinutes(1),
        new Bound(64, 4),
        10);
  }

  /// A total, and the part of it that one address may hold.
  public static Bound memory(long total) {
    return new Bound(total, total / ADDRESS_FRACTION);
  }
}
