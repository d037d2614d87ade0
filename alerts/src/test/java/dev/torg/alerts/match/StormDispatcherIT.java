package dev.torg.alerts.match;

import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertContent;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.StormAlert;
import dev.torg.api.v1.DeliverySettings.Delivery;
import dev.torg.api.v1.Offer;
import dev.torg.matching.SearchId;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.queries.QueryCanonicalizer;
import dev.torg.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What a storm sends to the subscribers of searches with small audiences.
class StormDispatcherIT {
  private static final BatchSql<Subscriber> SUBSCRIBE =
      BatchColumns.<Subscriber>of(subscriber -> Home.of(subscriber.search().hex()))
          .texts("search_id", subscriber -> subscriber.search().hex())
          .texts("owner", Subscriber::owner)
          .sql(
              """
              INSERT INTO search_subscriber (home, delivery, seq, created_at, search_id, owner)
              SELECT k.home, ?, 1, ?, k.search_id, k.owner FROM :rows(k)
              """);

  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private final String seller = newUser();
  private final List<Alert> single = new ArrayList<>();
  private final List<StormAlert> collapsed = new ArrayList<>();
  private int largestSingle;
  private int largestCollapsed;
  private AlertsFixture fixture;
  private StormDispatcher dispatcher;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    dispatcher =
        new StormDispatcher(
            fixture.database,
            fixture.favorites.audiences(),
            (_, alerts) -> {
              single.addAll(alerts);
              largestSingle = Math.max(largestSingle, alerts.size());
            },
            alerts -> {
              collapsed.addAll(alerts);
              largestCollapsed = Math.max(largestCollapsed, alerts.size());
            },
            1_000,
            fixture.clock);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static SearchId search(int number) {
    return QueryCanonicalizer.canonical(cars("-s" + number)).searchId();
  }

  /// Subscribes this many users to the search, the first one with this name.
  private void subscribe(SearchId search, Delivery delivery, String name, int count) {
    List<Subscriber> subscribers =
        IntStream.rangeClosed(1, count).mapToObj(n -> new Subscriber(search, name + n)).toList();
    fixture.database.transact(
        tx ->
            tx.sql(SUBSCRIBE, subscribers)
                .set(delivery.getNumber())
                .set(fixture.clock.instant())
                .update());
  }

  private record Subscriber(SearchId search, String owner) {}

  private void dispatch(int offers, List<SearchId> searches) {
    List<OfferMatch> interests = new ArrayList<>();
    for (int i = 0; i < offers; i++) {
      Offer offer = fixture.publish(seller, car("Car", 1));
      AlertContent content =
          AlertContent.newOffer(offer, EpochMicros.instant(offer.getActivatedAt()));
      interests.add(new OfferMatch(content, searches, false));
    }
    dispatcher.dispatch(seller, interests);
  }

  @Test
  void dispatch_moreReasonsThanAnAlertNames_namesInstantOnesFirst() {
    List<SearchId> searches = IntStream.range(0, 30).mapToObj(StormDispatcherIT::search).toList();
    Set<AlertReason> instant = new HashSet<>();
    for (int i = 0; i < searches.size(); i++) {
      boolean isInstant = i % 6 == 0;
      subscribe(searches.get(i), isInstant ? Delivery.INSTANT : Delivery.DAILY, "user:many", 1);
      if (isInstant) {
        instant.add(AlertReason.search(searches.get(i).hex()));
      }
    }
    dispatch(3, searches);
    assertThat(single).hasSize(3);
    for (Alert alert : single) {
      assertThat(alert.reasonsTruncated()).isTrue();
      assertThat(alert.reasons()).hasSize(Alert.MAX_REASONS);
      assertThat(new HashSet<>(alert.reasons().stream().limit(5).toList())).isEqualTo(instant);
    }
    assertThat(single.getFirst().reasons()).isNotEqualTo(single.getLast().reasons());
  }

  /// None of them may be omitted, because an offer may match only the last one.
  @Test
  void dispatch_stormWithManyReasons_isSeveralRecordsWithAllOfThem() {
    List<SearchId> searches =
        IntStream.range(100, 145).mapToObj(StormDispatcherIT::search).toList();
    for (int i = 0; i < searches.size(); i++) {
      subscribe(searches.get(i), i == 44 ? Delivery.INSTANT : Delivery.DAILY, "user:collapsed", 1);
    }
    dispatch(25, searches);
    assertThat(single).isEmpty();
    assertThat(collapsed).extracting(alert -> alert.matches().size()).containsExactly(20, 20, 5);
    Set<AlertReason> named = new LinkedHashSet<>();
    collapsed.forEach(alert -> named.addAll(alert.matches().keySet()));
    assertThat(named).hasSize(45).startsWith(AlertReason.search(searches.get(44).hex()));
  }

  /// Alerts are sent as they are found, not collected for the whole storm.
  @Test
  void dispatch_manyRecipients_areSentInPortions() {
    List<SearchId> searches =
        IntStream.range(200, 204).mapToObj(StormDispatcherIT::search).toList();
    for (int i = 0; i < searches.size(); i++) {
      subscribe(searches.get(i), Delivery.INSTANT, "user:portion" + i + "x", 900);
    }
    dispatch(20, searches);
    assertThat(single).hasSize(4 * 900 * 20);
    assertThat(largestSingle).isLessThan(5_000 + 20);
    dispatch(25, searches);
    assertThat(collapsed).hasSize(4 * 900);
    assertThat(largestCollapsed).isLessThanOrEqualTo(1_000);
  }
}
