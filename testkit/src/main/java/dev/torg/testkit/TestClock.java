package dev.torg.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that advances by a microsecond with every reading, and further when a test moves it.
public final class TestClock implements InstantSource {
  public static final Instant START = Instant.parse("2026-05-04T10:00:00Z");

  private final AtomicLong micros = new AtomicLong();

  @Override
  public Instant instant() {
    return START.plusNanos(micros.incrementAndGet() * 1000);
  }

  public void advance(Duration duration) {
    micros.addAndGet(duration.toNanos() / 1000);
  }
}
