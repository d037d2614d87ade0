package dev.torg.notifications.sending;

import dev.torg.platform.EpochMicros;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/// Sequence numbers of messages in the outbox. Those of one process differ, and those of two processes nearly always:
/// a collision, which also needs an equal home and recipient, fails its transaction, whose retry draws a new number.
/// The messages of a recipient have no order that matters.
public final class MessageSequence {
  private static final int MAX_OFFSET_MICROS = 1_000;

  private final InstantSource clock;
  private final int offset = ThreadLocalRandom.current().nextInt(MAX_OFFSET_MICROS);
  private final AtomicLong last = new AtomicLong();

  public MessageSequence(InstantSource clock) {
    this.clock = clock;
  }

  public long next() {
    long now = EpochMicros.of(clock.instant()) + offset;
    return last.updateAndGet(former -> Math.max(now, former + 1));
  }
}
