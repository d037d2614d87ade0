package dev.torg.offers.draft;

import dev.torg.offers.draft.TakeoverStore.TakeoverRow;
import dev.torg.offers.life.DraftKey;
import dev.torg.offers.photo.PhotoRequests;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.lease.EachHome;
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
  private static final int PAGE = 500;

  private final Database database;
  private final Takeover takeover;
  private final DraftStore drafts = new DraftStore();
  private final TakeoverStore takeovers = new TakeoverStore();

  public DraftJobs(Database database, PhotoRequests photos) {
    this.database = database;
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
        database.read(tx -> takeovers.stalled(tx, home, now.minus(STALLED), PAGE));
    stalled.forEach(row -> takeover.run(row, UUID.randomUUID(), now));
    return stalled.size() == PAGE;
  }

  public boolean eraseIdle(Lease lease, Instant now) {
    return EachHome.run(
        lease.homes(), home -> database.inTransaction(tx -> eraseIdle(tx, home, now)) == PAGE);
  }

  int eraseIdle(Tx tx, Home home, Instant now) throws SQLException {
    Instant before = now.minus(IDLE);
    List<DraftKey> idle = drafts.idle(tx, home, before, PAGE);
    if (!idle.isEmpty()) {
      for (DraftKey key : drafts.lockIdle(tx, home, idle, before)) {
        drafts.delete(tx, key);
      }
    }
    return idle.size();
  }
}
