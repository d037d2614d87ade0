package dev.torg.offers.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Opinion;
import dev.torg.offers.store.ModerationStore.Recorded;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ModerationStoreIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final ModerationStore store = new ModerationStore();
  private final OfferId first = OfferId.random(new Home(3));
  private final OfferId second = OfferId.random(new Home(3));

  @Test
  void record_severalInABatch_areNumberedByOfferInTheirOrder() {
    record(opinion(first, "1"), opinion(second, "2"), opinion(first, "3"));
    record(opinion(first, "4"), opinion(first, "5"), opinion(second, "6"));
    assertThat(moderators(first)).containsExactly("5", "4", "3", "1");
    assertThat(moderators(second)).containsExactly("6", "2");
  }

  private void record(Recorded... opinions) {
    OFFERS.database().transact(tx -> store.record(tx, List.of(opinions)));
  }

  private List<String> moderators(OfferId offer) {
    return OFFERS.database().read(tx -> store.opinions(tx, offer)).stream()
        .map(Opinion::getModerator)
        .toList();
  }

  private static Recorded opinion(OfferId offer, String moderator) {
    Opinion opinion = Opinion.newBuilder().setModerator(moderator).build();
    return new Recorded(offer, opinion, true, Instant.parse("2026-01-01T00:00:00Z"));
  }
}
