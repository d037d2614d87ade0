package dev.torg.offers.dashboard;

import dev.torg.offers.store.PresetRepairStore;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.ToIntFunction;

/// Makes a seller's cabinet what it should be while writes go on.
///
/// First the rows: page by page, under the locks that writers take too, they are compared with what
/// the offers say. Then the counts: a count differs from its rows by an amount that no writer
/// changes, since writers change both together; so the amount is read in one snapshot, without
/// locks, and added. No writer ever waits for more than a page.
public final class PresetRepairService {
  private final Database database;
  private final ToIntFunction<String> relist;
  private final Executor blocking;
  private final PresetRepairStore repairs = new PresetRepairStore();

  /// The function brings a seller's rows in order and says how many were wrong.
  public PresetRepairService(Database database, ToIntFunction<String> relist, Executor blocking) {
    this.database = database;
    this.relist = relist;
    this.blocking = blocking;
  }

  /// How many rows, counts and counters were wrong.
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
