package dev.torg.offers.feed;

import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.outbox.Outbox;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;

/// Throttles a feed for the sake of other callers.
///
/// It waits while the events of its group of homes are delayed: they are sent in order, and events of
/// other sellers in the group would wait behind those of the feed. It does not wait for a queue
/// without progress, which no relay is sending.
///
/// It also pauses shortly while the machine is busy: a feed has always more work, and would leave no
/// processor to callers that write one offer.
public final class FeedThrottle {
  /// What others' events may wait because of us: well within the second that an alert may take.
  private static final Duration MAX_OUTBOX_DELAY = Duration.ofMillis(300);

  /// More than that of the processors is not for feeds.
  private static final double MAX_CPU_LOAD = 0.85;

  /// A machine that others keep busy takes a chunk now and then.
  private static final int MAX_CPU_PAUSES = 12;

  private static final Duration POLL_INTERVAL = Duration.ofMillis(25);

  /// Looks at a queue that does not move: longer than the relay takes for a round.
  private static final int MAX_STALLED_POLLS = 24;

  private final Database database;
  private final Outbox outbox;
  private final InstantSource clock;
  private final CpuLoad machine = new CpuLoad();
  private volatile long stuck = -1;

  public FeedThrottle(Database database, Outbox outbox, InstantSource clock) {
    this.database = database;
    this.outbox = outbox;
    this.clock = clock;
  }

  void throttle(Home home) {
    awaitEvents(home);
    for (int remainder = 0;
        remainder < MAX_CPU_PAUSES && machine.load() > MAX_CPU_LOAD;
        remainder++) {
      pause();
    }
  }

  private void awaitEvents(Home home) {
    long before = -1;
    for (int still = 0; still < MAX_STALLED_POLLS; ) {
      OptionalLong oldest = database.read(tx -> outbox.oldest(tx, home));
      if (oldest.isEmpty() || !isBehind(oldest.getAsLong()) || oldest.getAsLong() == stuck) {
        return;
      }
      still = oldest.getAsLong() == before ? still + 1 : 0;
      before = oldest.getAsLong();
      pause();
    }
    stuck = before;
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
