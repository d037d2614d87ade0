package dev.torg.platform.kafka;

import com.google.common.base.Suppliers;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Row;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The events that consumers could not process, with the reasons. A replay is requested here and done by the
/// process that holds the event's partition, through the consumer's own handler; an event that succeeds is
/// deleted, one that fails stays with the new reason.
public final class ParkedEventStore implements RetryThenPark.DeadLetters {
  private static final String PARK =
      """
      INSERT INTO parked (home, consumer, topic, part, record_offset, key, seq, payload, record_at,
        reason, attempts, parked_at, replay)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, false)
      ON CONFLICT (home, consumer, topic, part, record_offset) DO UPDATE SET
        reason = excluded.reason, attempts = parked.attempts + excluded.attempts, replay = false
      """;
  private static final String LIST =
      """
      SELECT consumer, topic, part, record_offset, key, seq, payload, record_at,
        reason, attempts, parked_at, replay
      FROM parked
      """;
  private static final String OLDEST = LIST + "ORDER BY parked_at, topic, record_offset LIMIT ?";
  private static final String SELECT_REPLAY_REQUESTED =
      LIST + "WHERE consumer = ? AND replay ORDER BY topic, part, record_offset LIMIT 100";
  private static final BatchSql<Home> REQUEST_REPLAY =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              UPDATE parked p SET replay = true
              WHERE (?::text IS NULL OR p.consumer = ?::text) AND :shard(p)
              """);
  private static final String REMOVE =
      """
      DELETE FROM parked
      WHERE home = ? AND consumer = ? AND topic = ? AND part = ? AND record_offset = ?
      """;

  private static final String CONSUMERS_TO_REPLAY =
      "SELECT DISTINCT consumer FROM parked WHERE replay";

  /// How long the consumers with requested replays are cached: all consumers of a process share one query.
  private static final Duration MAX_REQUESTS_AGE = Duration.ofSeconds(2);

  private final Database database;
  private final InstantSource clock;
  private final Supplier<Set<String>> consumersToReplay;

  public ParkedEventStore(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.consumersToReplay =
        Suppliers.memoizeWithExpiration(this::readConsumersToReplay, MAX_REQUESTS_AGE);
  }

  private Set<String> readConsumersToReplay() {
    return database.read(tx -> Set.copyOf(tx.sql(CONSUMERS_TO_REPLAY).list(row -> row.textAt(1))));
  }

  /// The oldest of all consumers.
  public List<ParkedEvent> list(int limit) {
    return database.read(tx -> tx.sql(OLDEST).set(limit).list(ParkedEventStore::row));
  }

  /// Requests a replay of all events of a consumer; returns their number.
  public int replay(String consumer) {
    return requestReplay(consumer);
  }

  /// Requests a replay of the events of every consumer; returns their number.
  public int replayAll() {
    return requestReplay(null);
  }

  private int requestReplay(@Nullable String consumer) {
    return EachShard.map(
            database.shards().split(Home.all(), home -> home),
            homes ->
                database.inTransaction(
                    tx -> tx.sql(REQUEST_REPLAY, homes).set(consumer).set(consumer).update()))
        .stream()
        .mapToInt(Integer::intValue)
        .sum();
  }

  /// Parks an event, or records why an event already parked failed again.
  @Override
  public void park(String consumer, Event event, String reason, int attempts) {
    database.inTransaction(
        tx ->
            tx.sql(PARK)
                .set(home(event))
                .set(consumer)
                .set(event.topic())
                .set(event.partition())
                .set(event.offset())
                .set(event.key())
                .set(event.seq())
                .set(event.payload())
                .set(event.at())
                .set(reason)
                .set(attempts)
                .set(clock.instant())
                .update());
  }

  /// Returns what is requested, a few seconds after the request.
  List<ParkedEvent> replayRequested(String consumer) {
    if (!consumersToReplay.get().contains(consumer)) {
      return List.of();
    }
    return database.read(
        tx -> tx.sql(SELECT_REPLAY_REQUESTED).set(consumer).list(ParkedEventStore::row));
  }

  @Override
  public void remove(ParkedEvent parked) {
    Event event = parked.event();
    database.inTransaction(
        tx ->
            tx.sql(REMOVE)
                .set(home(event))
                .set(parked.consumer())
                .set(event.topic())
                .set(event.partition())
                .set(event.offset())
                .update());
  }

  private static Home home(Event event) {
    return Home.of(event.key());
  }

  private static ParkedEvent row(Row row) throws SQLException {
    Event event =
        new Event(
            row.textAt(2),
            row.intAt(3),
            row.longAt(4),
            row.textAt(5),
            row.longAt(6),
            row.bytesAt(7),
            row.instantAt(8),
            false);
    return new ParkedEvent(
        row.textAt(1), event, row.textAt(9), row.intAt(10), row.instantAt(11), row.booleanAt(12));
  }
}
