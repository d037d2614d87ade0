package dev.torg.bench.promotions;

import dev.torg.api.v1.PromotionEvent;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.promotions.PromotionTopics;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// Services that end at the same time, for Torg's jobs and for a plain loop.
final class Expiries implements AutoCloseable {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
  private static final Duration TIMEOUT = Duration.ofMinutes(15);

  private static final String TARGETS =
      """
      INSERT INTO promotion_target (home, status, seq, status_version, changed_at, entity_type, entity_id, seller)
      SELECT i % 256, 1, 0, 1, now(), ?, i::text, 'user:bench' FROM generate_series(1, ?) i
      """;

  private static final String PROMOTIONS =
      """
      INSERT INTO promotion (home, since, until, entity_type, entity_id, service, source)
      SELECT i % 256, now() - interval '1 day', ?::timestamptz, ?, i::text, 'premium', 'bench' FROM generate_series(1, ?) i
      """;

  private static final String EXPIRIES =
      """
      INSERT INTO promotion_expiry (home, run_at, entity_type, entity_id, service)
      SELECT i % 256, ?::timestamptz, ?, i::text, 'premium' FROM generate_series(1, ?) i
      """;

  private static final String ANY_LEFT =
      "SELECT 1 FROM promotion_expiry WHERE home = ? AND run_at <= ? LIMIT 1";

  private static final String LEFT = "SELECT count(*) FROM promotion WHERE entity_type = ?";

  private static final String NEXT =
      """
      SELECT entity_id, run_at FROM promotion_expiry
       WHERE home = ? AND run_at <= ? AND entity_type = 'plain' ORDER BY run_at, entity_id LIMIT 1
      """;

  private static final String LOCK =
      """
      SELECT seq, seller FROM promotion_target WHERE home = ? AND entity_type = 'plain' AND entity_id = ? FOR UPDATE
      """;

  private static final String DELETE_PROMOTION =
      """
      DELETE FROM promotion
       WHERE home = ? AND entity_type = 'plain' AND entity_id = ? AND service = 'premium' AND until <= ?
      """;

  private static final String UPDATE_TARGET =
      """
      UPDATE promotion_target SET seq = ? WHERE home = ? AND entity_type = 'plain' AND entity_id = ?
      """;

  private static final String DELETE_EXPIRY =
      """
      DELETE FROM promotion_expiry
       WHERE home = ? AND run_at = ? AND entity_type = 'plain' AND entity_id = ? AND service = 'premium'
      """;

  private static final String ANALYZE = "ANALYZE promotion_expiry, promotion, promotion_target";

  private final String url;
  private final Database database;
  private final Outbox outbox = new Outbox();

  private record Due(String entity, Instant at) {}

  Expiries(String url) {
    this.url = "jdbc:" + url;
    this.database = Database.connect(this.url, 2);
  }

  /// Ends a number of services with the jobs of the server. Returns the time from the COMMIT that made them due.
  Duration byJobs(int count) {
    Instant due = Instant.now().minusSeconds(60);
    load("bench", due, count);
    long start = System.nanoTime();
    long deadline = start + TIMEOUT.toNanos();
    for (Home home : Home.all()) {
      while (isAnyLeft(home) && System.nanoTime() < deadline) {
        LockSupport.parkNanos(POLL_INTERVAL.toNanos());
      }
    }
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    long left =
        database.read(tx -> tx.sql(LEFT).set("bench").first(row -> row.longAt(1))).orElse(0L);
    if (left > 0) {
      throw new IllegalStateException(left + " services have not ended after " + time);
    }
    return time;
  }

  private boolean isAnyLeft(Home home) {
    return database
        .read(tx -> tx.sql(ANY_LEFT).set(home).set(Instant.now()).first(_ -> true))
        .isPresent();
  }

  private void load(String type, Instant due, int count) {
    Timestamp at = Timestamp.from(due);
    try (Connection connection = DriverManager.getConnection(url)) {
      connection.setAutoCommit(false);
      update(connection, TARGETS, type, count);
      update(connection, PROMOTIONS, at, type, count);
      update(connection, EXPIRIES, at, type, count);
      connection.commit();
      connection.setAutoCommit(true);
      update(connection, ANALYZE);
    } catch (SQLException e) {
      throw new IllegalStateException("the rows could not be loaded: " + e.getMessage(), e);
    }
  }

  /// Runs a statement that may take longer than those of Torg.
  void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(url)) {
      update(connection, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }

  private static void update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.execute();
    }
  }

  /// Ends services one by one, a transaction each, until the time is up. They are due in the future, so no job takes them.
  /// Returns how many.
  int byLoop(int count, Duration time) {
    Instant due = Instant.now().plus(Duration.ofDays(1));
    load("plain", due, count);
    long end = System.nanoTime() + time.toNanos();
    int done = 0;
    for (Home home : Home.all()) {
      while (System.nanoTime() < end && expireOne(home, due.plusSeconds(1))) {
        done++;
      }
    }
    return done;
  }

  private boolean expireOne(Home home, Instant now) {
    return database.inTransaction(
        tx -> {
          Optional<Due> due =
              tx.sql(NEXT)
                  .set(home)
                  .set(now)
                  .first(row -> new Due(row.textAt(1), row.instantAt(2)));
          if (due.isPresent()) {
            expire(tx, home, due.get(), now);
          }
          return due.isPresent();
        });
  }

  private void expire(Tx tx, Home home, Due due, Instant now) throws SQLException {
    long seq =
        Math.max(
            EpochMicros.of(now),
            1 + tx.sql(LOCK).set(home).set(due.entity()).first(row -> row.longAt(1)).orElse(0L));
    tx.sql(DELETE_PROMOTION).set(home).set(due.entity()).set(now).update();
    tx.sql(UPDATE_TARGET).set(seq).set(home).set(due.entity()).update();
    tx.sql(DELETE_EXPIRY).set(home).set(due.at()).set(due.entity()).update();
    PromotionEvent event =
        PromotionEvent.newBuilder()
            .setEntityType("plain")
            .setEntityId(due.entity())
            .setSellerId("user:bench")
            .setSeq(seq)
            .setAt(EpochMicros.timestamp(now))
            .build();
    outbox.append(
        tx,
        List.of(
            new OutboxMessage(
                home,
                seq,
                PromotionTopics.PROMOTIONS,
                "plain:" + due.entity(),
                event.toByteArray())));
  }

  @Override
  public void close() {
    database.close();
  }
}
