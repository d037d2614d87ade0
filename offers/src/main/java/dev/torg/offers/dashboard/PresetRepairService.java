package dev.torg.offers.dashboard;

import dev.torg.offers.store.PresetRepairStore;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.ToIntFunction;

/// Repairs the dashboard of a seller during concurrent writes.
///
/// First the rows are compared with the offers, page by page, under the same locks as writers. Then the
/// counts are corrected: the difference between a count and its rows does not depend on concurrent writers,
/// which change both together, so it is read in one snapshot without locks and added. A writer waits for at
/// most one page.
public final class PresetRepairService {
  private final Database database;
  private final ToIntFunction<String> relist;
  private final Executor blocking;
  private final PresetRepairStore repairs = new PresetRepairStore();

  /// @param relist repairs a seller's rows and returns how many were wrong
  public PresetRepairService(Database database, ToIntFunction<String> relist, Executor blocking) {
    this.database = database;
    this.relist = relist;
    this.blocking = blocking;
  }

  /// Returns how many rows, counts and counters were wrong.
  public CompletableFuture<Integer> repair(String seller) {
    return CompletableFuture.supplyAsync(() -> corrected(seller), blocking);
  }

  public CompletableFuture<Integer> repairAll() {
    return CompletableFuture.supplyAsync(this::correctedEverywhere, blocking);
  }

  private int correctedEverywhere() {
    int corrected = 0;
    for (int number = 0; number < Home.COUNT; number++) {
      Home home = new Home(number);
      for (Optional<String> seller = next(home, "");
          seller.isPresent();
          seller = next(home, seller.get())) {
        corrected += corrected(seller.get());
      }
    }
    return corrected;
  }

  private Optional<String> next(Home home, String after) {
    return database.read(tx -> repairs.nextSeller(tx, home, after));
  }

  private int corrected(String seller) {
    int rows = relist.applyAsInt(seller);
    int orphans = database.inTransaction(tx -> repairs.dropOrphans(tx, seller));
    int counts = database.inTransaction(tx -> repairs.correctCounts(tx, seller));
    int counters = database.inTransaction(tx -> repairs.correctCounters(tx, seller));
    return rows + orphans + counts + counters;
  }
}
