package dev.torg.offers.draft;

import dev.torg.offers.draft.TakeoverStore.TakeoverRow;
import dev.torg.offers.life.DraftKey;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
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

  public DraftJobs(Database database) {
    this.database = database;
    this.takeover = new Takeover(database, _ -> {});
  }

  /// Each takeover is safe to run twice, so another holder of the lease does no harm.
  public boolean completeTakeovers(Lease lease, Instant now) {
    return completeTakeovers(lease.homes(), now);
  }

  boolean completeTakeovers(List<Home> homes, Instant now) {
    boolean more = false;
    for (Home home : homes) {
      List<TakeoverRow> stalled =
          database.read(tx -> takeovers.stalled(tx, home, now.minus(STALLED), PAGE));
      stalled.forEach(row -> takeover.run(row, UUID.randomUUID(), now));
      more |= stalled.size() == PAGE;
    }
    return more;
  }

  public boolean eraseIdle(Lease lease, Instant now) {
    boolean more = false;
    for (Home home : lease.homes()) {
      more |= database.inTransaction(tx -> eraseIdle(tx, home, now)) == PAGE;
    }
    return more;
  }

  int eraseIdle(Tx tx, Home home, Instant now) throws SQLException {
    List<DraftKey> idle = drafts.idle(tx, home, now.minus(IDLE), PAGE);
    for (DraftKey key : idle) {
      drafts.delete(tx, key);
    }
    return idle.size();
  }
}
