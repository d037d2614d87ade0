package dev.torg.offers.draft;

import dev.torg.offers.draft.TakeoverStore.TakeoverRow;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// What happens to drafts without anybody asking: takeovers that were cut off are completed, and
/// what nobody has touched for half a year is erased.
public final class DraftJobs {
  /// Longer than any takeover that is still under way.
  private static final Duration STALLED = Duration.ofMinutes(1);

  private static final Duration IDLE = Duration.ofDays(180);
  private static final int PAGE_SIZE = 500;

  private final Database database;
  private final PhotoPartStore photos;
  private final Takeover takeover;
  private final DraftStore drafts = new DraftStore();
  private final TakeoverStore takeovers = new TakeoverStore();

  public DraftJobs(Database database, PhotoPartStore photos) {
    this.database = database;
    this.photos = photos;
    this.takeover = new Takeover(database, photos, _ -> {});
  }

  /// Where takeovers were cut off.
  public List<Home> stalled(List<Home> homes, Instant now) {
    return database.read(tx -> takeovers.homesStalled(tx, homes, now.minus(STALLED)));
  }

  /// Each takeover is safe to run twice, so another holder of the lease does no harm.
  public boolean completeTakeovers(Lease lease, Instant now) {
    return completeTakeovers(lease.homes(), now);
  }

  boolean completeTakeovers(List<Home> homes, Instant now) {
    return EachHome.run(homes, home -> completeTakeovers(home, now));
  }

  private boolean completeTakeovers(Home home, Instant now) {
    List<TakeoverRow> stalled =
        database.read(tx -> takeovers.stalled(tx, home, now.minus(STALLED), PAGE_SIZE));
    stalled.forEach(row -> takeover.run(row, UUID.randomUUID(), now));
    return stalled.size() == PAGE_SIZE;
  }

  public boolean eraseIdle(Lease lease, Instant now) {
    return EachHome.run(
        lease.homes(), home -> database.inTransaction(tx -> eraseIdle(tx, home, now)) == PAGE_SIZE);
  }

  int eraseIdle(Tx tx, Home home, Instant now) throws SQLException {
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
