package dev.torg.notifications.contacts;

import dev.torg.platform.EpochMicros;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// When codes were sent to an address or by a person, within the last day, oldest first.
record SentCodes(List<Instant> times) {
  static final SentCodes NONE = new SentCodes(List.of());
  static final Duration PERIOD = Duration.ofDays(1);
  private static final Duration HOUR = Duration.ofHours(1);

  SentCodes {
    times = List.copyOf(times);
  }

  /// At most so many in any 60 minutes and in any 24 hours.
  record Quota(int perHour, int perDay) {}

  boolean allows(Quota quota, Instant now) {
    return countAfter(now.minus(HOUR)) < quota.perHour()
        && countAfter(now.minus(PERIOD)) < quota.perDay();
  }

  private long countAfter(Instant time) {
    return times.stream().filter(time::isBefore).count();
  }

  SentCodes with(Instant now) {
    List<Instant> more = new ArrayList<>(times);
    more.removeIf(time -> !time.isAfter(now.minus(PERIOD)));
    more.add(now);
    return new SentCodes(more);
  }

  byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(times.size() * Long.BYTES);
    times.forEach(time -> bytes.putLong(EpochMicros.of(time)));
    return bytes.array();
  }

  static SentCodes decode(byte[] stored) {
    ByteBuffer bytes = ByteBuffer.wrap(stored);
    List<Instant> times = new ArrayList<>();
    while (bytes.remaining() >= Long.BYTES) {
      times.add(EpochMicros.instant(bytes.getLong()));
    }
    return new SentCodes(times);
  }
}
