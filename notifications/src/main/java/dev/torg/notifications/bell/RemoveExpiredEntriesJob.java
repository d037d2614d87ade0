package dev.torg.notifications.bell;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Removes entries that have expired, with their part of the unread counts. Until then reads skip them. Blocks.
public final class RemoveExpiredEntriesJob {
  private static final int PAGE_SIZE = 500;

  private final Database database;
  private final Consumer<Set<String>> changed;
  private final EntryRemovalStore store = new EntryRemovalStore();

  /// @param changed receives the owners of changed bells after each commit
  public RemoveExpiredEntriesJob(Database database, Consumer<Set<String>> changed) {
    this.database = database;
    this.changed = changed;
  }

  /// Homes with expired entries.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesWithExpired(tx, homes, now));
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(lease.homes(), home -> remove(lease, home, now));
  }

  private boolean remove(Lease lease, Home home, Instant now) {
    List<EntryRemovalStore.EntryId> expired =
        database.read(tx -> store.expired(tx, home, now, PAGE_SIZE));
    if (!expired.isEmpty()) {
      changed.accept(
          database.inTransaction(
              tx -> {
                lease.check(tx);
                return store.removeExpired(tx, expired, now);
              }));
    }
    return expired.size() == PAGE_SIZE;
  }
}
