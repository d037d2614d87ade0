package dev.torg.bench.feed;

import dev.torg.bench.process.ApiClient;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// Another seller with a large audience: how long it takes until the last follower has an offer in
/// the bell.
final class LargeAudience {
  static final String SELLER = "feed-star";
  private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
  private static final Duration TIMEOUT = Duration.ofMinutes(20);

  private static final String SELECT_NOTIFIED =
      "SELECT count(*) FROM notification WHERE home = ANY (?::int[]) AND offer_id = ? AND NOT read";

  private static final int[] HOMES = IntStream.range(0, Home.COUNT).toArray();

  private final ApiClient seller;
  private final Database database;
  private final int followers;
  private int published;

  LargeAudience(ApiClient anonymous, Database database, int followers) {
    this.seller = anonymous.loggedInAs(SELLER);
    this.database = database;
    this.followers = followers;
  }

  /// Seconds from the call that publishes to the last entry.
  double seconds() {
    long start = System.nanoTime();
    OfferId offer = OfferId.parse(seller.publish("What many wait for " + published++));
    while (notifiedCount(offer) < followers) {
      if (System.nanoTime() - start > TIMEOUT.toNanos()) {
        throw new IllegalStateException("not all followers were notified within " + TIMEOUT);
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private long notifiedCount(OfferId offer) {
    return database.read(
        tx ->
            tx.sql(SELECT_NOTIFIED)
                .ints(HOMES)
                .set(offer.number())
                .first(row -> row.longAt(1))
                .orElse(0L));
  }
}
