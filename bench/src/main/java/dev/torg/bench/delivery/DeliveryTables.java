package dev.torg.bench.delivery;

import dev.torg.bench.process.Drained;
import dev.torg.bench.process.TorgProcess;
import dev.torg.platform.db.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/// What the tables state about deliveries: the queue, and the attempts with their outcomes.
final class DeliveryTables implements AutoCloseable {
  private static final Duration QUIET = Duration.ofSeconds(2);

  private static final String COUNTS =
      """
      SELECT (SELECT count(*) FROM notification), (SELECT count(*) FROM delivery_operation),
             (SELECT count(*) FROM delivery_attempt WHERE outcome = 'SENDING')
      """;

  private static final String UNFINISHED =
      "SELECT owner, notification_id, at FROM delivery_attempt WHERE outcome = 'SENDING'";

  private static final String OUTCOMES =
      "SELECT outcome, count(*) FROM delivery_attempt GROUP BY outcome";

  private final String address;
  private final Database database;

  /// An attempt without an outcome.
  record Unfinished(String owner, String notificationId, Instant at) {}

  /// @param unfinished attempts without an outcome, or without one yet
  record Counts(long entries, long queued, long unfinished) {}

  DeliveryTables(TorgProcess host) {
    this.address = host.running().database();
    this.database = Database.connect("jdbc:" + address, 1);
  }

  Counts counts() {
    return database
        .read(
            tx ->
                tx.sql(COUNTS)
                    .first(row -> new Counts(row.longAt(1), row.longAt(2), row.longAt(3))))
        .orElseThrow();
  }

  List<Unfinished> unfinished() {
    return database.read(
        tx ->
            tx.sql(UNFINISHED)
                .list(
                    row ->
                        new Unfinished(
                            row.textAt(1), Long.toString(row.longAt(2)), row.instantAt(3))));
  }

  /// The number of attempts with each outcome.
  Map<String, Long> outcomes() {
    Map<String, Long> outcomes = new TreeMap<>();
    database.read(
        tx -> {
          tx.sql(OUTCOMES).each(row -> outcomes.put(row.textAt(1), row.longAt(2)));
          return true;
        });
    return outcomes;
  }

  /// Waits until all entries are written, the queue is empty, and no outcome has been recorded for a while. Returns the
  /// last state, also when that took longer.
  Counts awaitDelivery(long entries, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    Drained.await(address, timeout);
    Counts before;
    Counts now = counts();
    do {
      LockSupport.parkNanos(QUIET.toNanos());
      before = now;
      now = counts();
    } while (!isDelivered(before, now, entries) && System.nanoTime() < deadline);
    return now;
  }

  private static boolean isDelivered(Counts before, Counts now, long entries) {
    return now.equals(before) && now.entries >= entries && now.queued == 0;
  }

  @Override
  public void close() {
    database.close();
  }
}
