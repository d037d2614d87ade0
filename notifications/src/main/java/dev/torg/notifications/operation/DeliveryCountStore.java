package dev.torg.notifications.operation;

import dev.torg.notifications.Channel;
import dev.torg.notifications.delivery.DeliveryCount;
import dev.torg.notifications.delivery.DeliveryCount.Period;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// SQL over the counts of limits. A person's counts of a channel are changed by the transaction that claims the person's
/// operations, which locks these; the login merge locks all of the login's operations before it adds to its counts.
final class DeliveryCountStore {
  /// A count of a person on a channel.
  record Stored(Channel channel, DeliveryCounts.Changed changed) {
    String owner() {
      return changed.key().owner();
    }

    DeliveryCount count() {
      return changed.count();
    }
  }

  private static final String COLUMNS =
      """
      c.owner, c.channel, c.topic, c.hour_start, c.hour_count, c.day_start, c.day_count,
             c.week_start, c.week_count, c.last_at\
      """;

  private static final BatchSql<String> READ =
      BatchColumns.<String>of(Home::of)
          .texts("owner", owner -> owner)
          .sql(
              """
              SELECT %s FROM :batch(k)
                JOIN delivery_count c ON c.home = k.home AND c.owner = k.owner
               WHERE c.channel = ? AND :shard(c)
              """
                  .formatted(COLUMNS));

  private static final String READ_ALL =
      "SELECT %s FROM delivery_count c WHERE c.home = ? AND c.owner = ?".formatted(COLUMNS);

  private static final BatchSql<Stored> PUT =
      BatchColumns.<Stored>of(stored -> Home.of(stored.owner()))
          .texts("owner", Stored::owner)
          .texts("channel", stored -> stored.channel().name())
          .texts("topic", stored -> stored.changed().key().topic())
          .instants("hour_start", stored -> stored.count().hour().start())
          .ints("hour_count", stored -> stored.count().hour().count())
          .instants("day_start", stored -> stored.count().day().start())
          .ints("day_count", stored -> stored.count().day().count())
          .instants("week_start", stored -> stored.count().week().start())
          .ints("week_count", stored -> stored.count().week().count())
          .instants("last_at", stored -> stored.count().last().orElse(Instant.EPOCH))
          .sql(
              """
              INSERT INTO delivery_count
                (home, owner, channel, topic, hour_start, hour_count, day_start, day_count,
                 week_start, week_count, last_at)
              SELECT k.home, k.owner, k.channel, k.topic, k.hour_start, k.hour_count, k.day_start,
                     k.day_count, k.week_start, k.week_count, k.last_at
                FROM :rows(k) ORDER BY k.home, k.owner, k.channel, k.topic
              ON CONFLICT (home, owner, channel, topic) DO UPDATE
                SET hour_start = excluded.hour_start, hour_count = excluded.hour_count,
                    day_start = excluded.day_start, day_count = excluded.day_count,
                    week_start = excluded.week_start, week_count = excluded.week_count,
                    last_at = excluded.last_at
              """);

  private static final String DELETE = "DELETE FROM delivery_count WHERE home = ? AND owner = ?";

  private static final String PURGE = "DELETE FROM delivery_count WHERE home = ? AND last_at < ?";

  DeliveryCounts read(Tx tx, Collection<String> owners, Channel channel) throws SQLException {
    Map<DeliveryCounts.Key, DeliveryCount> counts = new HashMap<>();
    tx.sql(READ, List.copyOf(owners))
        .set(channel.name())
        .each(
            row -> {
              Stored stored = stored(row);
              counts.put(stored.changed().key(), stored.count());
            });
    return new DeliveryCounts(counts);
  }

  List<Stored> readAll(Tx tx, String owner) throws SQLException {
    return tx.sql(READ_ALL).set(Home.of(owner)).set(owner).list(DeliveryCountStore::stored);
  }

  void put(Tx tx, Channel channel, List<DeliveryCounts.Changed> counts) throws SQLException {
    put(tx, counts.stream().map(changed -> new Stored(channel, changed)).toList());
  }

  void put(Tx tx, List<Stored> counts) throws SQLException {
    tx.sql(PUT, counts).update();
  }

  void delete(Tx tx, String owner) throws SQLException {
    tx.sql(DELETE).set(Home.of(owner)).set(owner).update();
  }

  /// Deletes the counts of a home that have not changed since.
  int purge(Tx tx, Home home, Instant before) throws SQLException {
    return tx.sql(PURGE).set(home).set(before).update();
  }

  private static Stored stored(Row row) throws SQLException {
    DeliveryCount count =
        new DeliveryCount(
            new Period(row.instantAt(4), row.intAt(5)),
            new Period(row.instantAt(6), row.intAt(7)),
            new Period(row.instantAt(8), row.intAt(9)),
            Optional.of(row.instantAt(10)).filter(last -> !last.equals(Instant.EPOCH)));
    return new Stored(
        Channel.valueOf(row.textAt(2)),
        new DeliveryCounts.Changed(new DeliveryCounts.Key(row.textAt(1), row.textAt(3)), count));
  }
}
