package dev.torg.offers.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.offers.wiring.OffersWiring;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.testkit.FakeCitus;
import dev.torg.testkit.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// With distributed tables, a batch has one home, which every statement contains.
class DistributedOfferStoreIT extends OfferStoreContract {
  private static TestDatabase server;
  private static Database database;

  @BeforeAll
  static void create() {
    server = TestDatabase.empty();
    FakeCitus.install(server.url());
    Migrations.of("platform", OffersWiring.MIGRATIONS).migrate(server.url());
    database = Database.connect(server.url(), 4);
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

  @Override
  Home home(int number) {
    return new Home(77);
  }
}
