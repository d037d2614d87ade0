package dev.torg.notifications.bell;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Deletes entries that have not changed for the retention time, with their part of the unread counts. Once a day it
/// walks the bells of each home in the order of their owners, some at a time: an index by age would cost every write.
/// Blocks.
public final class PurgeOldEntriesJob {
  private static final Duration INTERVAL = Duration.ofDays(1);

  /// Bells that are checked at once.
  private static final int OWNER_PAGE_SIZE = 1_000;

  private static final int PAGE_SIZE = 500;

  private final Database database;
  private final Duration retention;
  private final Consumer<Set<String>> changed;
  private final EntryRemovalStore store = new EntryRemovalStore();
  private final PurgeProgressStore progress = new PurgeProgressStore();

  /// @param changed receives the owners of changed bells after each commit
  public PurgeOldEntriesJob(Database database, Duration retention, Consumer<Set<String>> changed) {
    this.database = database;
    this.retention = retention;
    this.changed = changed;
  }

  /// Homes that have not been walked today.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> progress.due(tx, homes, now));
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(lease.homes(), home -> purge(lease, home, now));
  }

  private boolean purge(Lease lease, Home home, Instant now) {
    Optional<String> after = database.read(tx -> progress.after(tx, home, now));
    if (after.isEmpty()) {
      return false;
    }
    Instant cutoff = now.minus(retention);
    List<EntryRemovalStore.Owner> owners =
        database.read(tx -> store.owners(tx, home, after.get(), cutoff, OWNER_PAGE_SIZE));
    List<EntryRemovalStore.EntryId> old = old(home, owners, cutoff);
    boolean isWalked = old.size() < PAGE_SIZE;
    boolean isEnd = isWalked && owners.size() < OWNER_PAGE_SIZE;
    changed.accept(
        database.inTransaction(
            tx -> {
              lease.check(tx);
              Set<String> purged = old.isEmpty() ? Set.of() : store.removeOld(tx, old, cutoff, now);
              if (isEnd) {
                progress.ended(tx, home, now.plus(INTERVAL));
              } else if (isWalked) {
                progress.walked(tx, home, owners.getLast().id(), now);
              }
              return purged;
            }));
    return !isEnd;
  }

  private List<EntryRemovalStore.EntryId> old(
      Home home, List<EntryRemovalStore.Owner> owners, Instant cutoff) {
    List<String> withOldEntries =
        owners.stream()
            .filter(EntryRemovalStore.Owner::hasOldEntries)
            .map(EntryRemovalStore.Owner::id)
            .toList();
    return withOldEntries.isEmpty()
        ? List.of()
        : database.read(tx -> store.old(tx, home, withOldEntries, cutoff, PAGE_SIZE));
  }
}
