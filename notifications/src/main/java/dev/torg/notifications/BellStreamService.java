package dev.torg.notifications;

import dev.torg.notifications.stream.BellChangeBroadcast;
import dev.torg.notifications.stream.BellStreams;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Flow;

/// The bells of connected readers, as they ring.
///
/// A stream stands at a `seq` of its reader's bell and reads on from there in the database, so it
/// needs no buffer, a slow client holds up nobody, and any process can go on where another ended.
/// What wakes it is a hint only: a commit in this process, a word from another process, and, should
/// both fail, a look at all bells every two seconds.
public final class BellStreamService implements AutoCloseable {
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(2);

  private final BellStreams streams;
  private final BellChangeBroadcast hints;

  public BellStreamService(Database database, Bell bell, MeterRegistry registry) {
    this(database, bell, registry, POLL_INTERVAL);
  }

  /// @param pollInterval how often all bells are read in case that hints were lost
  BellStreamService(Database database, Bell bell, MeterRegistry registry, Duration pollInterval) {
    this.streams = new BellStreams(database, registry, pollInterval);
    this.hints = new BellChangeBroadcast(database, streams::wakeHomes);
    bell.onChange(streams::wake);
    bell.onChange(hints::changed);
  }

  /// Starts to tell other processes of changes and to listen to theirs.
  public void start() {
    streams.start();
    hints.start();
  }

  /// Entries after the one with the given id, or those from now on, and the counts at first and after
  /// each change. The stream ends when its subscriber cancels it or the process stops.
  public Flow.Publisher<BellEvent> stream(String reader, Optional<String> lastEventId) {
    Optional<Long> after = lastEventId.filter(id -> !id.isEmpty()).map(BellStreamService::parse);
    return subscriber -> streams.open(reader, after, subscriber);
  }

  private static Long parse(String id) {
    try {
      return Long.parseLong(id);
    } catch (NumberFormatException e) {
      throw Failure.invalid(
          "stream.last-event-id",
          "not an event id",
          "Last-Event-ID",
          "must be an id from the stream");
    }
  }

  @Override
  public void close() {
    hints.close();
    streams.close();
  }
}
