package dev.torg.alerts.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.testkit.TestDatabase;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FanoutStoreIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final FanoutStore store = new FanoutStore();

  /// During backpressure audiences wait; bans do not wait behind them.
  @Test
  void nextWithdrawal_olderAudiencesWait_isNotBehindThem() {
    try (AlertsFixture fixture = new AlertsFixture(TABLES)) {
      String seller = AlertsFixture.newUser();
      for (int i = 0; i < 5; i++) {
        add(fixture, audience(fixture.publish(seller), fixture.clock.instant()));
      }
      Offer banned = fixture.publish(seller);
      AlertContent content = AlertContent.newOffer(banned, fixture.clock.instant());
      add(fixture, Fanout.withdrawal(content, fixture.clock.instant()));
      Home home = Home.of(seller);
      Fanout first =
          fixture
              .database
              .read(tx -> store.nextWithdrawal(tx, home, FanoutStore.Target.FIRST))
              .orElseThrow();
      assertThat(first.rule()).isEqualTo(Fanout.Audience.WITHDRAWAL);
      Fanout next =
          fixture.database.read(tx -> store.next(tx, home, FanoutStore.Target.FIRST)).orElseThrow();
      assertThat(next.rule()).isEqualTo(Fanout.Audience.SELLER);
    }
  }

  private static Fanout audience(Offer offer, Instant now) {
    AlertReason seller = AlertReason.seller(offer.getSellerId());
    return Fanout.of(seller, AlertContent.newOffer(offer, now), Set.of(seller), now);
  }

  private void add(AlertsFixture fixture, Fanout fanout) {
    fixture.database.transact(tx -> store.add(tx, List.of(fanout)));
  }
}
