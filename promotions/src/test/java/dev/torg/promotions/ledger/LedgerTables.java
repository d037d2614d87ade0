package dev.torg.promotions.ledger;

import dev.torg.platform.db.Migrations;
import dev.torg.testkit.TestDatabase;
import java.util.concurrent.atomic.AtomicLong;

/// The tables of the ledger, and sellers.
final class LedgerTables {
  private static final AtomicLong SELLERS = new AtomicLong();

  private LedgerTables() {}

  static TestDatabase fresh() {
    return TestDatabase.fresh(
        "ledger", url -> Migrations.of("platform", "promotions").migrate(url));
  }

  static String newSeller() {
    return "user:ledger" + SELLERS.incrementAndGet();
  }
}
