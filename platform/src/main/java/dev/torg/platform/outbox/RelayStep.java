package dev.torg.platform.outbox;

import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.Step;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// One group's part in the rounds of its process.
final class RelayStep implements Step {
  private final RelayRounds rounds;
  private final Lease lease;

  /// Whether there may be rows that no round has looked for. Cleared before one looks.
  private final AtomicBoolean wanted = new AtomicBoolean(true);

  /// When a round looked last. Touched in turn only.
  private long lookedAt;

  RelayStep(RelayRounds rounds, Lease lease) {
    this.rounds = rounds;
    this.lease = lease;
  }

  Lease lease() {
    return lease;
  }

  void wake() {
    wanted.set(true);
    lease.wake();
  }

  boolean isWanted() {
    return wanted.get();
  }

  Duration sinceLooked() {
    return Duration.ofNanos(System.nanoTime() - lookedAt);
  }

  void looking() {
    wanted.set(false);
    lookedAt = System.nanoTime();
  }

  @Override
  public Duration run() throws InterruptedException {
    return rounds.run(this);
  }

  @Override
  public void close() {
    rounds.leave(this);
  }
}
