package dev.torg.offers.draft;

import dev.torg.offers.draft.TakeoverStore.TakeoverRow;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.job.Job;
import dev.torg.platform.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// Completes interrupted takeovers. Each takeover is idempotent, so a concurrent run by a former holder of
/// the lease is safe.
public final class CompleteTakeoversJob implements Job {
  /// Longer than a takeover in progress can take.
  private static final Duration STALLED = Duration.ofMinutes(1);

  private static final int PAGE_SIZE = 500;

  private final Database database;
  private final Takeover takeover;
  private final TakeoverStore takeovers = new TakeoverStore();

  public CompleteTakeoversJob(Database database, PhotoPartStore photos) {
    this.database = database;
    this.takeover = new Takeover(database, photos, _ -> {});
  }

  /// The homes with interrupted takeovers.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> takeovers.homesStalled(tx, homes, now.minus(STALLED)));
  }

  @Override
  public boolean run(Lease lease, Instant now) {
    return run(lease.homes(), now);
  }

  boolean run(List<Home> homes, Instant now) {
    return EachHome.run(homes, home -> run(home, now));
  }

  private boolean run(Home home, Instant now) {
    List<TakeoverRow> stalled =
        database.read(tx -> takeovers.stalled(tx, home, now.minus(STALLED), PAGE_SIZE));
    stalled.forEach(row -> takeover.run(row, UUID.randomUUID(), now));
    return stalled.size() == PAGE_SIZE;
  }
}
