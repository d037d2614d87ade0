package dev.torg.server.config;

import dev.torg.server.quota.Bound;
import dev.torg.server.quota.Quotas;
import java.time.Duration;

/// How much callers may hold concurrently, and how long calls and uploads may take.
///
/// @param feedUploads concurrent uploads, by seller
public record QuotaConfig(
    Quotas quotas, Duration callTimeout, Bound feedUploads, Duration feedUploadTimeout) {
  private static final int MAX_COUNT = 1_000_000;
  private static final int MAX_MEGABYTES = 1_000_000;

  /// Event streams send a heartbeat every 15 seconds.
  private static final Duration MIN_STALL_TIMEOUT = Duration.ofSeconds(30);

  static QuotaConfig of(SettingReader read) {
    Quotas quotas =
        new Quotas(
            bound(read, Setting.CONNECTIONS, Setting.CONNECTIONS_PER_ADDRESS),
            count(read, Setting.HTTP2_STREAMS),
            bound(read, Setting.CALLS, Setting.CALLS_PER_ADDRESS),
            bound(read, Setting.STREAMS, Setting.STREAMS_PER_ADDRESS),
            memory(read, Setting.REQUEST_MEMORY, Quotas.defaults().requestBytes()),
            memory(read, Setting.RESPONSE_MEMORY, Quotas.defaults().responseBytes()),
            stallTimeout(read),
            bound(read, Setting.PHOTO_UPLOADS, Setting.PHOTO_UPLOADS_PER_CALLER),
            count(read, Setting.BATCH_ITEMS_PER_CALL));
    return new QuotaConfig(
        quotas,
        read.duration(Setting.CALL_TIMEOUT),
        bound(read, Setting.FEED_UPLOADS, Setting.FEED_UPLOADS_PER_SELLER),
        read.duration(Setting.FEED_UPLOAD_TIMEOUT));
  }

  private static Bound bound(SettingReader read, Setting total, Setting perKey) {
    return new Bound(count(read, total), count(read, perKey));
  }

  private static int count(SettingReader read, Setting setting) {
    return read.number(setting, 1, MAX_COUNT);
  }

  private static Bound memory(SettingReader read, Setting setting, Bound byHeap) {
    int megabytes = read.number(setting, 0, MAX_MEGABYTES);
    return megabytes == 0 ? byHeap : Quotas.memory(megabytes * 1024L * 1024L);
  }

  private static Duration stallTimeout(SettingReader read) {
    Duration timeout = read.duration(Setting.STALL_TIMEOUT);
    if (timeout.compareTo(MIN_STALL_TIMEOUT) < 0) {
      throw SettingReader.invalid(Setting.STALL_TIMEOUT, "must be at least " + MIN_STALL_TIMEOUT);
    }
    return timeout;
  }
}
