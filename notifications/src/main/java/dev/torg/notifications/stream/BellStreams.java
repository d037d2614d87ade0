package dev.torg.notifications.stream;

import dev.torg.notifications.BellEvent;
import dev.torg.notifications.bell.BellReader;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The open streams of this process, by recipient. A stream with new entries is served on a virtual thread
/// of its own; only a few at a time read, so that streams do not exhaust the connection pool.
public final class BellStreams implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BellStreams.class);

  private static final int MAX_CONCURRENT_READS = 4;

  /// For recipients of all shards: one statement at a time, and none while no stream is open.
  private static final BatchSql<String> SEQS =
      BatchColumns.<String>of(Home::of)
          .texts("owner", owner -> owner)
          .sql(
              """
              SELECT b.owner, b.seq FROM :batch(k)
                JOIN bell b ON b.home = k.home AND b.owner = k.owner
               WHERE :shard(b)
              """);

  private final Database database;
  private final Duration pollInterval;
  private final BellReader reader;
  private final Map<String, Map<BellStream, AtomicInteger>> open = new ConcurrentHashMap<>();
  private final Semaphore connections = new Semaphore(MAX_CONCURRENT_READS);
  private final CountDownLatch closing = new CountDownLatch(1);

  /// @param pollInterval how long a change may go unnoticed when every hint is lost
  public BellStreams(
      Database database, InstantSource clock, MeterRegistry registry, Duration pollInterval) {
    this.database = database;
    this.reader = new BellReader(clock);
    this.pollInterval = pollInterval;
    Gauge.builder("torg.notifications.streams", open, Map::size)
        .description("Recipients with an open stream")
        .register(registry);
  }

  public void start() {
    Thread.ofVirtual().name("bell-poll").start(this::poll);
  }

  public void open(
      String owner, Optional<Long> after, Flow.Subscriber<? super BellEvent> subscriber) {
    long cursor = after.orElseGet(() -> database.read(tx -> reader.seq(tx, owner)));
    BellStream stream = new BellStream(this, reader, owner, cursor, subscriber);
    open.compute(
        owner,
        (_, streams) -> {
          Map<BellStream, AtomicInteger> ofOwner =
              streams == null ? new ConcurrentHashMap<>() : streams;
          ofOwner.put(stream, new AtomicInteger());
          return ofOwner;
        });
    subscriber.onSubscribe(stream);
    if (closing.getCount() == 0) {
      stream.complete();
    }
  }

  /// These bells have changed.
  public void wake(Set<String> owners) {
    for (String owner : owners) {
      streams(owner).forEach(this::wake);
    }
  }

  /// Bells of these homes may have changed.
  public void wakeHomes(BitSet homes) {
    pollRecipients(
        open.keySet().stream().filter(owner -> homes.get(Home.of(owner).number())).toList());
  }

  void remove(BellStream stream) {
    open.computeIfPresent(
        stream.owner(),
        (_, streams) -> {
          streams.remove(stream);
          return streams.isEmpty() ? null : streams;
        });
  }

  /// Counts the wakes: the call that raises the count from zero starts a thread, which serves until the
  /// count is zero again.
  void wake(BellStream stream) {
    AtomicInteger wakes = open.getOrDefault(stream.owner(), Map.of()).get(stream);
    if (wakes != null && wakes.getAndIncrement() == 0) {
      Thread.ofVirtual().name("bell-serve").start(() -> serve(stream, wakes));
    }
  }

  private void serve(BellStream stream, AtomicInteger wakes) {
    int seen;
    do {
      seen = wakes.get();
      connections.acquireUninterruptibly();
      try {
        stream.serve(database);
      } finally {
        connections.release();
      }
    } while (wakes.addAndGet(-seen) > 0);
  }

  private List<BellStream> streams(String owner) {
    return List.copyOf(open.getOrDefault(owner, Map.of()).keySet());
  }

  private void poll() {
    try {
      while (!closing.await(pollInterval.toMillis(), TimeUnit.MILLISECONDS)) {
        pollRecipients(List.copyOf(open.keySet()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pollRecipients(List<String> owners) {
    try {
      Map<String, Long> seqs = owners.isEmpty() ? Map.of() : database.read(tx -> seqs(tx, owners));
      seqs.forEach(
          (owner, seq) ->
              streams(owner).stream().filter(s -> s.sentSeq() != seq).forEach(this::wake));
    } catch (RuntimeException e) {
      LOG.warn("cannot poll the bells of {} streams: {}", owners.size(), e.toString());
    }
  }

  private static Map<String, Long> seqs(Tx tx, List<String> owners) throws SQLException {
    Map<String, Long> seqs = new HashMap<>();
    tx.sql(SEQS, owners).each(row -> seqs.put(row.textAt(1), row.longAt(2)));
    return seqs;
  }

  /// Completes all streams; their clients resume with another process.
  @Override
  public void close() {
    closing.countDown();
    List.copyOf(open.keySet()).forEach(owner -> streams(owner).forEach(BellStream::complete));
  }
}
