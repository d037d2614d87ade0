package dev.torg.photos.prepare;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Deletes the tombstones of removed photos, once no late request for them can arrive any more.
public final class PurgeRemovedPhotosJob {
  /// Longer than the retention of the request topics.
  private static final Duration RETENTION = Duration.ofDays(8);

  private final Database database;
  private final PhotoStore photos = new PhotoStore();

  public PurgeRemovedPhotosJob(Database database) {
    this.database = database;
  }

  /// Returns false: one run deletes everything that is due.
  public boolean run(List<Home> homes, Instant now) {
    for (Home home : homes) {
      database.inTransaction(tx -> photos.purge(tx, home, now.minus(RETENTION)));
    }
    return false;
  }
}
