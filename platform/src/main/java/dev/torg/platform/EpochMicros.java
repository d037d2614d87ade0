package dev.torg.platform;

import com.google.protobuf.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Times as microseconds since 1970: PostgreSQL's resolution, so that a time reads back as written.
public final class EpochMicros {
  private static final long PER_SECOND = 1_000_000;
  private static final int NANOS = 1_000;

  private EpochMicros() {}

  public static long of(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  public static long of(Timestamp timestamp) {
    return timestamp.getSeconds() * PER_SECOND + timestamp.getNanos() / NANOS;
  }

  public static long of(Duration duration) {
    return duration.toNanos() / NANOS;
  }

  public static Timestamp timestamp(long micros) {
    return Timestamp.newBuilder()
        .setSeconds(Math.floorDiv(micros, PER_SECOND))
        .setNanos((int) Math.floorMod(micros, PER_SECOND) * NANOS)
        .build();
  }

  /// Rounded down to microseconds.
  public static Timestamp timestamp(Instant instant) {
    return timestamp(of(instant));
  }

  /// Rounded down to microseconds.
  public static Instant instant(Timestamp timestamp) {
    return instant(of(timestamp));
  }

  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
