package dev.torg.offers.photo.prepare;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Forgets that photos were removed, once no late request can ask for them any more.
final class PurgeRemovedPhotosJob {
  /// Longer than a request waits in its topic.
  private static final Duration RETENTION = Duration.ofDays(8);

  private final Database database;
  private final PhotoStore photos = new PhotoStore();

  PurgeRemovedPhotosJob(Database database) {
    this.database = database;
  }

  /// There is never more to do at once.
  boolean run(List<Home> homes, Instant now) {
    for (Home home : homes) {
      database.inTransaction(tx -> photos.purge(tx, home, now.minus(RETENTION)));
    }
    return false;
  }
}
