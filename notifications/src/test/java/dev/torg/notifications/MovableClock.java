package dev.torg.notifications;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/// A clock that moves only when a test moves it.
final class MovableClock implements InstantSource {
  private final AtomicReference<Instant> now = new AtomicReference<>(BellFixture.NOW);

  @Override
  public Instant instant() {
    return now.get();
  }

  void advance(Duration duration) {
    now.updateAndGet(time -> time.plus(duration));
  }
}
