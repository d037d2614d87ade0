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
  private final String recipient = AlertsFixture.newUser();
  private final String other = AlertsFixture.newUser();
  private final Home home = Home.of(AlertsFixture.newUser());

  /// A recipient may have been notified of any number of offers; a storm reads those of one block.
  @Test
  void find_recipientNotifiedOfManyOffers_readsOnlyTheRequested() {
    try (AlertsFixture fixture = new AlertsFixture(TABLES)) {
      LocalDate month =
          LocalDate.ofInstant(fixture.clock.instant(), ZoneOffset.UTC).withDayOfMonth(1);
      List<OfferId> offers =
          IntStream.range(0, 500).mapToObj(_ -> OfferId.random(home)).distinct().toList();
      for (String owner : List.of(recipient, other)) {
        fixture.database.transact(
            tx ->
                dedup.insert(
                    tx,
                    offers.stream()
                        .map(offer -> new AlertDedupStore.DedupRow(owner, offer, month))
                        .toList()));
      }
      List<OfferId> requested = new ArrayList<>(offers.subList(10, 13));
      requested.add(OfferId.random(home));
      List<AlertDedupStore.Key> rows = new ArrayList<>();
      fixture.database.transact(tx -> dedup.find(tx, List.of(recipient), requested, rows::add));
      assertThat(rows)
          .containsExactlyInAnyOrderElementsOf(
              offers.subList(10, 13).stream()
                  .map(offer -> new AlertDedupStore.Key(recipient, offer))
                  .toList());
    }
  }
}
