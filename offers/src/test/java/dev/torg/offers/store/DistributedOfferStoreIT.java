package dev.torg.offers.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.offers.wiring.OffersWiring;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestPostgres;
import dev.torg.testkit.citus.FakeCitus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// On distributed tables, whose statements restrict the rows to the homes of a shard.
class DistributedOfferStoreIT extends OfferStoreContract {
  private static TestDatabase server;
  private static Database database;

  @BeforeAll
  static void create() {
    server = TestDatabase.empty();
    boolean isDistributed = TestPostgres.shared().hasCitus();
    if (!isDistributed) {
      FakeCitus.install(server.url());
    }
    Migrations.of("platform", OffersWiring.MIGRATIONS).migrate(server.url());
    database = Database.connect(isDistributed ? server.url() : FakeCitus.guarded(server.url()), 4);
  }

  @AfterAll
  static void drop() {
    database.close();
    server.close();
  }

  @Test
  void isDistributed_citus_isTrue() {
    assertThat(database.isDistributed()).isTrue();
  }

  @Override
  Database database() {
    return database;
  }
}
