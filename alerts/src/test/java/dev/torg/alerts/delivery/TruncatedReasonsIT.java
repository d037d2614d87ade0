package dev.torg.alerts.delivery;

import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.CountingPool;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertReason;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A recipient with more matching searches than an alert names.
class TruncatedReasonsIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final String recipient = newUser();
  private final String seller = newUser();
  private final List<String> searches = new ArrayList<>();
  private AlertsFixture fixture;
  private Offer offer;

  /// One more search than an alert names, and a later one that does not match.
  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    for (int i = 0; i <= Alert.MAX_REASONS; i++) {
      searches.add(fixture.search(recipient, cars("golf -w" + i), "search " + i));
    }
    fixture.search(recipient, cars("polo"), "polo");
    offer = fixture.publish(seller, car("Golf", 1));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /// All but the last one are named.
  private void write() throws Exception {
    Set<AlertReason> reasons =
        searches.stream()
            .map(AlertReason::search)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    fixture
        .writer()
        .handle(
            AlertsFixture.events(
                AlertsFixture.alert(recipient, offer, reasons.toArray(AlertReason[]::new))));
  }

  private void deliverNamed(Delivery delivery) {
    searches
        .subList(0, Alert.MAX_REASONS)
        .forEach(search -> fixture.deliverSearch(recipient, search, delivery));
  }

  private void deliverLast(Delivery delivery) {
    fixture.deliverSearch(recipient, searches.getLast(), delivery);
  }

  private long digested() {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT count(*) FROM digest WHERE home = ? AND owner = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }

  @Test
  void handle_namedReasonsAreOff_theOmittedOneCounts() throws Exception {
    deliverNamed(Delivery.OFF);
    write();
    assertThat(fixture.notifiedOf(recipient)).containsExactly(offer.getId());
    assertThat(fixture.bell(recipient).getFirst().getWhy().getId()).isEqualTo(searches.getLast());
  }

  @Test
  void handle_namedReasonsAreRemoved_theOmittedOneCounts() throws Exception {
    searches
        .subList(0, Alert.MAX_REASONS)
        .forEach(search -> fixture.removeSearch(recipient, search));
    deliverLast(Delivery.DAILY);
    write();
    assertThat(fixture.notifiedOf(recipient)).isEmpty();
    assertThat(digested()).isEqualTo(1);
  }

  @Test
  void handle_namedReasonsAreDaily_theOmittedInstantOneDecides() throws Exception {
    deliverNamed(Delivery.DAILY);
    write();
    assertThat(fixture.notifiedOf(recipient)).containsExactly(offer.getId());
    assertThat(digested()).isZero();
  }

  @Test
  void handle_allReasonsAreOff_sendsNoNotification() throws Exception {
    deliverNamed(Delivery.OFF);
    deliverLast(Delivery.OFF);
    write();
    assertThat(fixture.notifiedOf(recipient)).isEmpty();
    assertThat(fixture.dedupRows(recipient)).isZero();
  }

  @Test
  void handle_sellerIsBlocked_sendsNoNotification() throws Exception {
    deliverNamed(Delivery.OFF);
    fixture.block(recipient, seller);
    write();
    assertThat(fixture.notifiedOf(recipient)).isEmpty();
  }

  /// The omitted search is not older than the offer.
  @Test
  void handle_omittedReasonIsNewerThanTheOffer_doesNotCount() throws Exception {
    deliverNamed(Delivery.OFF);
    fixture.removeSearch(recipient, searches.getLast());
    fixture.search(recipient, cars("golf"), "saved later");
    write();
    assertThat(fixture.notifiedOf(recipient)).isEmpty();
  }

  /// The searches of the recipients are read once for all offers of a transaction.
  @Test
  void handle_manyOffersAndRecipients_readsTheSearchesTogether() throws Exception {
    deliverNamed(Delivery.DAILY);
    AlertReason[] named = searches.stream().map(AlertReason::search).toArray(AlertReason[]::new);
    String other = fixture.newUserInShardOf(recipient);
    for (int i = 0; i <= Alert.MAX_REASONS; i++) {
      String search = fixture.search(other, cars("golf -w" + i), "search " + i);
      fixture.deliverSearch(other, search, Delivery.OFF);
    }
    // Later than all that are named; one of them matches.
    String daily = fixture.search(other, cars("golf -x"), "daily");
    fixture.deliverSearch(other, daily, Delivery.DAILY);
    List<Alert> alerts = new ArrayList<>();
    List<String> offers = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      Offer offer = fixture.publish(seller, car("Golf", i + 1));
      offers.add(offer.getId());
      alerts.add(AlertsFixture.alert(recipient, offer, named));
      alerts.add(AlertsFixture.alert(other, offer, named));
    }
    try (CountingPool pool = new CountingPool(TABLES);
        AlertsFixture counting =
            new AlertsFixture(new Database(pool), fixture.clock, fixture.settings)) {
      pool.reset();
      counting.writer().handle(AlertsFixture.events(alerts.toArray(Alert[]::new)));
      assertThat(pool.count("f.kind = 2 AND f.delivery =")).isLessThanOrEqualTo(2);
    }
    assertThat(fixture.notifiedOf(recipient)).containsExactlyInAnyOrderElementsOf(offers);
    assertThat(fixture.notifiedOf(other)).isEmpty();
    assertThat(fixture.dedupRows(other)).isEqualTo(15);
  }

  /// More searches than one query reads; the matching one is the oldest.
  @Test
  void handle_omittedReasonAmongThousands_isFound() throws Exception {
    deliverNamed(Delivery.OFF);
    fixture.database.inTransaction(
        tx ->
            tx.sql(
                    """
                    INSERT INTO favorite
                    SELECT (jsonb_populate_record(f, jsonb_build_object(
                             'favorite_id', 'x' || n, 'created_at', f.created_at + interval '1 us'))).*
                      FROM favorite f, generate_series(1, 4500) AS n
                     WHERE f.home = ? AND f.owner = ? AND f.kind = 2 AND f.name = 'polo'
                    """)
                .set(Home.of(recipient))
                .set(recipient)
                .update());
    offer = fixture.publish(seller, car("Golf", 1));
    write();
    assertThat(fixture.notifiedOf(recipient)).containsExactly(offer.getId());
    assertThat(fixture.bell(recipient).getFirst().getWhy().getId()).isEqualTo(searches.getLast());
  }
}
