package dev.torg.offers.feed;

import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.outbox.Outbox;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;

/// Throttles a feed in favor of other callers.
///
/// It waits while the events of its group of homes are delayed: they are sent in order, so events of other
/// sellers in the group would wait behind those of the feed. It does not wait for a queue without progress,
/// which no relay is sending.
///
/// It also pauses briefly while the machine is busy: a feed always has more work, and would leave no CPU
/// time to callers that write single offers. Blocks.
public final class FeedThrottle {
  /// How long a feed may delay events of other sellers. Well within the second that an alert may take.
  private static final Duration MAX_OUTBOX_DELAY = Duration.ofMillis(300);

  /// Limits the pauses, so that a feed makes progress on a machine that other processes keep busy.
  private static final int MAX_CPU_PAUSES = 12;

  private static final Duration POLL_INTERVAL = Duration.ofMillis(25);

  /// Polls without progress after which the queue counts as stalled. Longer than a round of the relay.
  private static final int MAX_STALLED_POLLS = 24;

  private final Database database;
  private final Outbox outbox;
  private final InstantSource clock;
  private final BooleanSupplier isBusy;
  private final Runnable pause;

  /// The oldest event of each group's queue when it was found stalled.
  private final AtomicLongArray stalledSeqs = new AtomicLongArray(Home.GROUPS);

  /// @param maxCpuLoad feeds pause while the machine's load is higher
  public FeedThrottle(Database database, Outbox outbox, InstantSource clock, double maxCpuLoad) {
    this(database, outbox, clock, isAbove(maxCpuLoad), FeedThrottle::sleep);
  }

  FeedThrottle(
      Database database,
      Outbox outbox,
      InstantSource clock,
      BooleanSupplier isBusy,
      Runnable pause) {
    this.database = database;
    this.outbox = outbox;
    this.clock = clock;
    this.isBusy = isBusy;
    this.pause = pause;
  }

  private static BooleanSupplier isAbove(double maxCpuLoad) {
    CpuLoad machine = new CpuLoad();
    return () -> machine.load() > maxCpuLoad;
  }

  void throttle(Home home) {
    awaitEvents(home);
    for (int pauses = 0; pauses < MAX_CPU_PAUSES && isBusy.getAsBoolean(); pauses++) {
      pause.run();
    }
  }

  private void awaitEvents(Home home) {
    long before = -1;
    for (int stalledPolls = 0; stalledPolls < MAX_STALLED_POLLS; ) {
      OptionalLong oldest = database.read(tx -> outbox.oldest(tx, home));
      if (oldest.isEmpty()
          || !isBehind(oldest.getAsLong())
          || isStalledAt(oldest.getAsLong(), home)) {
        return;
      }
      stalledPolls = oldest.getAsLong() == before ? stalledPolls + 1 : 0;
      before = oldest.getAsLong();
      pause.run();
    }
    stalledSeqs.set(home.group(), before);
  }

  private boolean isStalledAt(long seq, Home home) {
    return stalledSeqs.get(home.group()) == seq;
  }

  private boolean isBehind(long seq) {
    return seq < EpochMicros.of(clock.instant().minus(MAX_OUTBOX_DELAY));
  }

  private static void sleep() {
    try {
      Thread.sleep(POLL_INTERVAL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
