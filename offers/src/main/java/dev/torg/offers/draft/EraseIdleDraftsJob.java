package dev.torg.offers.draft;

import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.job.Job;
import dev.torg.platform.lease.Lease;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Erases drafts that were not changed for half a year.
public final class EraseIdleDraftsJob implements Job {
  private static final Duration IDLE = Duration.ofDays(180);
  private static final int PAGE_SIZE = 500;

  private final Database database;
  private final PhotoPartStore photos;
  private final DraftStore drafts = new DraftStore();

  public EraseIdleDraftsJob(Database database, PhotoPartStore photos) {
    this.database = database;
    this.photos = photos;
  }

  @Override
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(
        lease.homes(), home -> database.inTransaction(tx -> run(tx, home, now)) == PAGE_SIZE);
  }

  int run(Tx tx, Home home, Instant now) throws SQLException {
    Instant before = now.minus(IDLE);
    List<DraftKey> idle = drafts.idle(tx, home, before, PAGE_SIZE);
    if (!idle.isEmpty()) {
      for (DraftStore.Idle draft : drafts.lockIdle(tx, home, idle, before)) {
        drafts.delete(tx, draft.key());
        photos.requestRemoval(tx, home, draft.photos(), EpochMicros.of(now));
      }
    }
    return idle.size();
  }
}
