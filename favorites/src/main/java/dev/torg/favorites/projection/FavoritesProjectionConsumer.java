package dev.torg.favorites.projection;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import dev.torg.platform.db.Tx;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.kafka.EventHandler;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.projection.Projection;
import dev.torg.platform.projection.Projection.Change;
import dev.torg.platform.projection.Projection.Source;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Projects the events of favorites into the tables of savers, followers and subscribers. Save counts, live
/// searches and backfill requests are written in the same transaction, one per shard. A duplicate, late or fenced-off event
/// changes nothing, except that it requests a backfill again: its first transaction may have been that of a
/// version without backfill requests.
public final class FavoritesProjectionConsumer implements EventHandler {
  /// Tombstones deleted in one transaction.
  private static final int SWEEP_PAGE_SIZE = 1000;

  private final Database database;
  private final InstantSource clock;
  private final SaveCountStore counts = new SaveCountStore();
  private final BackfillStore backfills = new BackfillStore();
  private final LiveSearchStore searches;

  public FavoritesProjectionConsumer(Database database, Outbox outbox, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.searches = new LiveSearchStore(outbox, new EventSequence(clock));
  }

  @Override
  public void handle(List<Event> events) throws Exception {
    List<FavoriteEvent> parsed = new ArrayList<>();
    for (Event event : events) {
      parsed.add(parse(event));
    }
    int partition = events.getFirst().partition();
    EachShard.run(
        database.shards().split(parsed, Subscription::home), group -> project(partition, group));
  }

  /// Deletes old tombstones and returns whether there may be more.
  public boolean sweep(Lease lease, Instant now) {
    int swept = 0;
    for (Home home : lease.homes()) {
      swept +=
          database.inTransaction(
              tx -> {
                lease.check(tx);
                return SubscriptionProjections.SAVERS.sweep(tx, home, now, SWEEP_PAGE_SIZE)
                    + SubscriptionProjections.FOLLOWERS.sweep(tx, home, now, SWEEP_PAGE_SIZE)
                    + SubscriptionProjections.SUBSCRIBERS.sweep(tx, home, now, SWEEP_PAGE_SIZE);
              });
    }
    return swept > 0;
  }

  private void project(int partition, List<FavoriteEvent> events) {
    Instant now = clock.instant();
    database.transact(
        tx -> {
          counts.add(
              tx,
              partition,
              apply(tx, SubscriptionProjections.SAVERS, events, Favorite.Kind.OFFER, now));
          apply(tx, SubscriptionProjections.FOLLOWERS, events, Favorite.Kind.SELLER, now);
          List<Change<Subscription>> changes =
              apply(tx, SubscriptionProjections.SUBSCRIBERS, events, Favorite.Kind.SEARCH, now);
          searches.apply(tx, changes, LiveSearchStore.queries(events), now);
          backfills.add(tx, events);
        });
  }

  private static List<Change<Subscription>> apply(
      Tx tx,
      Projection<Subscription> projection,
      List<FavoriteEvent> events,
      Favorite.Kind kind,
      Instant now)
      throws SQLException {
    List<Source<Subscription>> sources =
        events.stream()
            .filter(event -> event.getKind() == kind)
            .map(
                event ->
                    new Source<>(
                        Subscription.home(event),
                        event.getSeq(),
                        event.getRemoved(),
                        Subscription.of(event)))
            .toList();
    return projection.apply(tx, sources, now);
  }

  private static FavoriteEvent parse(Event event) throws InvalidProtocolBufferException {
    return FavoriteEvent.parseFrom(event.payload());
  }
}
