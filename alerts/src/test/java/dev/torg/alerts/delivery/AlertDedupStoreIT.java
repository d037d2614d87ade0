package dev.torg.alerts.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.testkit.TestDatabase;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AlertDedupStoreIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final AlertDedupStore dedup = new AlertDedupStore();
  private final String recipient = AlertsFixture.person();
  private final String other = AlertsFixture.person();
  private final Home home = Home.of(AlertsFixture.person());

  /// A reader may have been told of any number of offers; a storm asks for those of one block.
  @Test
  void find_recipientNotifiedOfManyOffers_readsOnlyTheRequested() {
    try (AlertsFixture fixture = new AlertsFixture(TABLES)) {
      LocalDate month =
          LocalDate.ofInstant(fixture.clock.instant(), ZoneOffset.UTC).withDayOfMonth(1);
      List<OfferId> offers =
          IntStream.range(0, 500).mapToObj(_ -> OfferId.random(home)).distinct().toList();
      fixture.database.inTransaction(
          tx -> {
            for (String owner : List.of(recipient, other)) {
              dedup.insert(
                  tx,
                  offers.stream()
                      .map(offer -> new AlertDedupStore.DedupRow(owner, offer, month))
                      .toList());
            }
            return true;
          });
      List<OfferId> asked = new ArrayList<>(offers.subList(10, 13));
      asked.add(OfferId.random(home));
      List<AlertDedupStore.Key> found = new ArrayList<>();
      fixture.database.inTransaction(
          tx -> {
            dedup.find(tx, List.of(recipient), asked, found::add);
            return true;
          });
      assertThat(found)
          .containsExactlyInAnyOrderElementsOf(
              offers.subList(10, 13).stream()
                  .map(offer -> new AlertDedupStore.Key(recipient, offer))
                  .toList());
    }
  }
}
