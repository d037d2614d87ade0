package dev.torg.offers.feed;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.lease.EachHome;
import dev.torg.platform.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What happens to feeds without anybody asking: removals that were cut off are completed, and what
/// nobody can need any more is forgotten.
public final class FeedJobs {
  /// Longer than a page of a removal that is still under way.
  private static final Duration STALLED = Duration.ofSeconds(15);

  /// How long tasks and failures can be looked at.
  private static final Duration SHOWN = Duration.ofDays(90);

  private static final int PAGE = 1_000;

  private final Database database;
  private final FinishFeed finish;
  private final TaskStore tasks = new TaskStore();
  private final ItemStore items = new ItemStore();
  private final ErrorStore errors = new ErrorStore();

  FeedJobs(Database database, FinishFeed finish) {
    this.database = database;
    this.finish = finish;
  }

  /// Where a removal was cut off.
  public List<Home> stalled(List<Home> homes, Instant now) {
    return database.read(tx -> tasks.homesStalled(tx, homes, now.minus(STALLED)));
  }

  /// Each page is safe to run twice, so another holder of the lease does no harm.
  public boolean completeRemovals(Lease lease, Instant now) {
    return completeRemovals(lease.homes(), now);
  }

  boolean completeRemovals(List<Home> homes, Instant now) {
    return EachHome.run(
        homes,
        home -> {
          List<Task.Key> stalled =
              database.read(tx -> tasks.stalled(tx, home, now.minus(STALLED), PAGE));
          stalled.forEach(finish::remove);
          return stalled.size() == PAGE;
        });
  }

  public boolean forget(Lease lease, Instant now) {
    return EachHome.run(lease.homes(), home -> forget(lease, home, now));
  }

  private boolean forget(Lease lease, Home home, Instant now) {
    return database.inTransaction(
        tx -> {
          lease.check(tx);
          tasks.forget(tx, home, now.minus(SHOWN));
          errors.forget(tx, home, now.minus(SHOWN));
          return items.forget(tx, home, now.minus(Verdict.REVIVES), PAGE) == PAGE;
        });
  }
}
