package dev.torg.offers.store;

import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.db.Database;
import org.junit.jupiter.api.extension.RegisterExtension;

class OfferStoreIT extends OfferStoreContract {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  @Override
  Database database() {
    return OFFERS.database();
  }
}
