package dev.torg.offers.store;

import dev.torg.offers.wiring.TestOffers;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import org.junit.jupiter.api.extension.RegisterExtension;

/// On plain PostgreSQL a batch contains many homes.
class OfferStoreIT extends OfferStoreContract {
  @RegisterExtension static final TestOffers OFFERS = new TestOffers();

  @Override
  Database database() {
    return OFFERS.database();
  }

  @Override
  Home home(int number) {
    return new Home(Home.COUNT - 1 - number * 7);
  }
}
