package dev.torg.notifications.stream;

import dev.torg.api.v1.UnreadCount;
import dev.torg.notifications.BellEvent;
import dev.torg.notifications.bell.BellReader;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One open stream. [#serve] is called by one thread at a time; it reads from the cursor on, as many
/// entries as the client has requested.
final class BellStream implements Flow.Subscription {
  private static final Logger LOG = LoggerFactory.getLogger(BellStream.class);

  /// Entries read at once: a screenful or two.
  private static final int PAGE_SIZE = 100;

  private final BellReader reader;
  private final BellStreams streams;
  private final String owner;
  private final Flow.Subscriber<? super BellEvent> subscriber;
  private final AtomicLong demand = new AtomicLong();
  private volatile boolean ended;

  /// The `seq` of the last entry sent.
  private long cursor;

  /// The `seq` of the bell when its counts were last sent; -1 before the first time.
  private volatile long sentCountsSeq = -1;

  BellStream(
      BellStreams streams,
      BellReader reader,
      String owner,
      long cursor,
      Flow.Subscriber<? super BellEvent> subscriber) {
    this.streams = streams;
    this.reader = reader;
    this.owner = owner;
    this.cursor = cursor;
    this.subscriber = subscriber;
  }

  String owner() {
    return owner;
  }

  long sentSeq() {
    return sentCountsSeq;
  }

  @Override
  public void request(long n) {
    if (n <= 0) {
      fail(new IllegalArgumentException("a request must be positive"));
      return;
    }
    demand.accumulateAndGet(n, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
    streams.wake(this);
  }

  @Override
  public void cancel() {
    ended = true;
    streams.remove(this);
  }

  void complete() {
    if (!ended) {
      cancel();
      subscriber.onComplete();
    }
  }

  /// Changes of the bell since the cursor. `seq` is read first, so that it covers no entry that is missing.
  private record Changes(long seq, List<BellReader.Entry> entries, UnreadCount unread) {}

  void serve(Database database) {
    try {
      boolean more = true;
      while (more && !ended && demand.get() > 0) {
        more = send(database.read(this::changes));
      }
    } catch (RuntimeException e) {
      LOG.warn("a stream has failed and its client must resume it", e);
      fail(e);
    }
  }

  private Changes changes(Tx tx) throws SQLException {
    long seq = reader.seq(tx, owner);
    if (seq == sentCountsSeq) {
      return new Changes(seq, List.of(), UnreadCount.getDefaultInstance());
    }
    return new Changes(seq, reader.since(tx, owner, cursor, page()), reader.unreadCount(tx, owner));
  }

  private int page() {
    return (int) Math.min(demand.get(), PAGE_SIZE);
  }

  /// Whether there may be more.
  private boolean send(Changes changes) {
    if (changes.seq() == sentCountsSeq) {
      return false;
    }
    for (BellReader.Entry entry : changes.entries()) {
      cursor = entry.seq();
      send(new BellEvent.Entry(Long.toString(entry.seq()), entry.notification()));
    }
    if (changes.entries().size() == PAGE_SIZE || demand.get() == 0) {
      return true;
    }
    sentCountsSeq = changes.seq();
    send(new BellEvent.Unread(Long.toString(Math.max(cursor, changes.seq())), changes.unread()));
    return true;
  }

  private void send(BellEvent event) {
    if (!ended) {
      demand.decrementAndGet();
      subscriber.onNext(event);
    }
  }

  private void fail(RuntimeException e) {
    if (!ended) {
      cancel();
      subscriber.onError(e);
    }
  }
}
