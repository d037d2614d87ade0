package dev.torg.notifications.stream;

import dev.torg.notifications.BellEvent;
import dev.torg.notifications.BellStreamService;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Flow;

/// Streams that read entries from the database.
///
/// The position of a stream is a `seq` of its bell, and entries after it are read from the database. So a
/// stream needs no buffer, a slow client delays no other, and any process can continue a stream of another.
/// What wakes a stream is a hint only: a commit of this process, a notification from another process and, if
/// both are lost, a poll of all open bells every two seconds.
public final class DatabaseBellStreams implements BellStreamService, AutoCloseable {
  /// The delay of a change if every hint is lost.
  private static final Duration FALLBACK_POLL_INTERVAL = Duration.ofSeconds(2);

  private final BellStreams streams;
  private final BellChangeBroadcast broadcast;

  public DatabaseBellStreams(Database database, InstantSource clock, MeterRegistry registry) {
    this(database, clock, registry, FALLBACK_POLL_INTERVAL);
  }

  /// @param pollInterval the delay of a change if every hint is lost
  public DatabaseBellStreams(
      Database database, InstantSource clock, MeterRegistry registry, Duration pollInterval) {
    this.streams = new BellStreams(database, clock, registry, pollInterval);
    this.broadcast = new BellChangeBroadcast(database, streams::wakeHomes);
  }

  /// Starts to broadcast changes to other processes and to receive theirs.
  public void start() {
    streams.start();
    broadcast.start();
  }

  /// To be called after each commit of this process that changed these bells.
  public void changed(Set<String> recipients) {
    streams.wake(recipients);
    broadcast.changed(recipients);
  }

  @Override
  public Flow.Publisher<BellEvent> stream(String recipient, Optional<String> lastEventId) {
    Optional<Long> after = lastEventId.filter(id -> !id.isEmpty()).map(DatabaseBellStreams::parse);
    return subscriber -> streams.open(recipient, after, subscriber);
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
    broadcast.close();
    streams.close();
  }
}
