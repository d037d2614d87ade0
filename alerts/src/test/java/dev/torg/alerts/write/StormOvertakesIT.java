package dev.torg.alerts.write;

import static dev.torg.alerts.AlertsFixture.alert;
import static dev.torg.alerts.AlertsFixture.person;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.TestClock;
import dev.torg.alerts.alert.Alert;
import dev.torg.alerts.alert.News;
import dev.torg.alerts.alert.Positions;
import dev.torg.alerts.alert.Reason;
import dev.torg.alerts.alert.StormAlert;
import dev.torg.alerts.storm.StormStore;
import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;
import dev.torg.platform.topics.Event;
import dev.torg.testkit.TestDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StormOvertakesIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final StormStore storms = new StormStore();

  /// The offer has no position when the writer reads positions. Before its transaction begins, the offer
  /// becomes part of a storm and the reader is notified of it.
  @Test
  void tell_stormBetweenReadingAndWriting_isTriedAgainAndNotDoubled() throws Exception {
    try (AlertsFixture fixture = new AlertsFixture(TABLES)) {
      String reader = person();
      String seller = person();
      fixture.follow(reader, seller);
      Offer offer = fixture.publish(seller);
      Alert alert = alert(reader, offer, Reason.seller(seller));
      StormStore.Known known =
          storms.known(
              fixture.database, List.of(new StormStore.Sold(OfferId.parse(offer.getId()), seller)));
      int position = number(fixture, offer);
      notify(fixture, reader, seller, position);
      TellReaders telling =
          new TellReaders(
              fixture.favorites.rules(),
              fixture.notifications.settings(),
              fixture.notifications.bell(),
              fixture.offers.face().categories(),
              fixture.settings,
              fixture.clock,
              new AlertMeters(fixture.registry));
      TellReaders.Rest rest =
          fixture.database.inTransaction(
              tx -> telling.tell(tx, List.of(new Candidate(alert, offer)), known));
      assertThat(rest.unsure()).containsExactly(alert);
      assertThat(fixture.bell(reader)).hasSize(1);
      fixture.writer().handle(AlertsFixture.events(alert));
      assertThat(fixture.bell(reader)).hasSize(1);
      assertThat(fixture.toldRows(reader)).isZero();
    }
  }

  private int number(AlertsFixture fixture, Offer offer) {
    OfferId id = OfferId.parse(offer.getId());
    List<StormStore.StormOffer> offers =
        List.of(new StormStore.StormOffer(id, News.instant(offer.getActivatedAt())));
    return fixture
        .database
        .inTransaction(tx -> storms.number(tx, offer.getSellerId(), offers))
        .getOrDefault(id, 0);
  }

  private static void notify(AlertsFixture fixture, String reader, String seller, int position)
      throws Exception {
    StormAlert storm =
        new StormAlert(reader, seller, Map.of(Reason.seller(seller), Positions.of(position)));
    fixture
        .writer()
        .handle(
            List.of(
                new Event(
                    "torg.alerts.storm",
                    0,
                    0,
                    reader,
                    0,
                    storm.toBytes(),
                    TestClock.START,
                    false)));
  }
}
