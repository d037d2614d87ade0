package dev.torg.alerts.delivery;

import static dev.torg.alerts.AlertsFixture.alert;
import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.eligibility.CandidateAlert;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.OfferPositions;
import dev.torg.alerts.event.StormAlert;
import dev.torg.alerts.storm.StormStore;
import dev.torg.api.v1.Offer;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.Event;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StormOvertakesAlertIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final StormStore storms = new StormStore();

  /// The offer has no position when the writer reads positions. Before its transaction begins, the offer
  /// becomes part of a storm and the recipient is notified of it.
  @Test
  void deliver_stormBetweenReadingAndWriting_isRetriedAndNotDuplicated() throws Exception {
    try (AlertsFixture fixture = new AlertsFixture(TABLES)) {
      String recipient = newUser();
      String seller = newUser();
      fixture.follow(recipient, seller);
      Offer offer = fixture.publish(seller);
      Alert alert = alert(recipient, offer, AlertReason.seller(seller));
      StormStore.NumberedOffers numbered =
          storms.numbered(
              fixture.database, List.of(new StormStore.Sold(OfferId.parse(offer.getId()), seller)));
      int position = number(fixture, offer);
      notify(fixture, recipient, seller, position);
      AlertDeliveryWriter writer =
          new AlertDeliveryWriter(fixture.delivery(), fixture.offers.offers().categories());
      AlertDeliveryWriter.Unfinished unfinished =
          fixture.database.inTransaction(
              tx -> writer.deliver(tx, List.of(new CandidateAlert(alert, offer)), numbered));
      assertThat(unfinished.unsure()).containsExactly(alert);
      assertThat(fixture.bell(recipient)).hasSize(1);
      fixture.writer().handle(AlertsFixture.events(alert));
      assertThat(fixture.bell(recipient)).hasSize(1);
      assertThat(fixture.dedupRows(recipient)).isZero();
    }
  }

  private int number(AlertsFixture fixture, Offer offer) {
    OfferId id = OfferId.parse(offer.getId());
    List<StormStore.StormOffer> offers =
        List.of(new StormStore.StormOffer(id, EpochMicros.instant(offer.getActivatedAt())));
    return fixture
        .database
        .inTransaction(tx -> storms.number(tx, offer.getSellerId(), offers))
        .getOrDefault(id, 0);
  }

  private static void notify(AlertsFixture fixture, String recipient, String seller, int position)
      throws Exception {
    StormAlert storm =
        new StormAlert(
            recipient, seller, Map.of(AlertReason.seller(seller), OfferPositions.of(position)));
    fixture
        .writer()
        .handle(
            List.of(
                new Event(
                    "torg.alerts.storm",
                    0,
                    0,
                    recipient,
                    0,
                    storm.toBytes(),
                    TestClock.START,
                    false)));
  }
}
