package dev.torg.offers.feed;

import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.outbox.Outbox;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;

/// Throttles a feed in favor of other callers.
///
/// It waits while the events of its group of homes are delayed: they are sent in order, so events of other
/// sellers in the group would wait behind those of the feed. It does not wait for a queue without progress,
/// which no relay is sending.
///
/// It also pauses briefly while the machine is busy: a feed always has more work, and would leave no CPU
/// time to callers that write single offers.
public final class FeedThrottle {
  /// How long a feed may delay events of other sellers. Well within the second that an alert may take.
  private static final Duration MAX_OUTBOX_DELAY = Duration.ofMillis(300);

  /// Feeds pause above this load.
  private static final double MAX_CPU_LOAD = 0.85;

  /// Limits the pauses, so that a feed makes progress on a machine that other processes keep busy.
  private static final int MAX_CPU_PAUSES = 12;

  private static final Duration POLL_INTERVAL = Duration.ofMillis(25);

  /// Polls without progress after which the queue counts as stalled. Longer than a round of the relay.
  private static final int MAX_STALLED_POLLS = 24;

  private final Database database;
  private final Outbox outbox;
  private final InstantSource clock;
  private final CpuLoad machine = new CpuLoad();
  private volatile long stalledSeq = -1;

  public FeedThrottle(Database database, Outbox outbox, InstantSource clock) {
    this.database = database;
    this.outbox = outbox;
    this.clock = clock;
  }

  void throttle(Home home) {
    awaitEvents(home);
    for (int pauses = 0; pauses < MAX_CPU_PAUSES && machine.load() > MAX_CPU_LOAD; pauses++) {
      pause();
    }
  }

  private void awaitEvents(Home home) {
    long before = -1;
    for (int stalledPolls = 0; stalledPolls < MAX_STALLED_POLLS; ) {
      OptionalLong oldest = database.read(tx -> outbox.oldest(tx, home));
      if (oldest.isEmpty() || !isBehind(oldest.getAsLong()) || oldest.getAsLong() == stalledSeq) {
        return;
      }
      stalledPolls = oldest.getAsLong() == before ? stalledPolls + 1 : 0;
      before = oldest.getAsLong();
      pause();
    }
    stalledSeq = before;
  }

  private boolean isBehind(long seq) {
    return seq < EpochMicros.of(clock.instant().minus(MAX_OUTBOX_DELAY));
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_INTERVAL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
