package dev.torg.alerts.match;

import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.engine.AddedSearch;
import dev.torg.alerts.engine.EngineView;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.alerts.event.StormAlert;
import dev.torg.api.v1.Offer;
import dev.torg.favorites.projection.FavoritesProjectionConsumer;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import dev.torg.matching.engine.Engine;
import dev.torg.platform.Home;
import dev.torg.platform.kafka.Event;
import dev.torg.queries.QueryCanonicalizer;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A process whose engine receives searches when the test decides.
class OfferMatchingConsumerIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  /// One for all tests: they share the offers in the database.
  private static final TestClock CLOCK = new TestClock();

  private final String recipient = newUser();
  private final String seller = newUser();
  private final List<Alert> sent = new ArrayList<>();
  private final List<Alert> bulk = new ArrayList<>();
  private final List<StormAlert> collapsed = new ArrayList<>();
  private final Set<SearchId> recentSearches = new HashSet<>();
  private int largest;
  private AlertsFixture fixture;
  private Engine engine;
  private OfferMatchingConsumer matching;
  private SearchBackfill backfill;

  @BeforeEach
  void open() {
    open(AlertSettings.defaults(AlertsFixture.temporary()));
  }

  private void open(AlertSettings settings) {
    fixture = new AlertsFixture(TABLES, CLOCK, settings);
    engine = Engine.create(fixture.clock);
    matching =
        new OfferMatchingConsumer(
            new OfferMatchingConsumer.Dependencies(
                fixture.database,
                fixture.offers.offers(),
                fixture.favorites.audiences(),
                (topic, alerts) -> {
                  sent.addAll(alerts);
                  bulk.addAll(topic.equals(AlertTopics.STORM) ? alerts : List.of());
                  largest = Math.max(largest, alerts.size());
                },
                collapsed::addAll,
                fixture.clock,
                fixture.registry),
            new EngineView() {
              @Override
              public Engine engine() {
                return engine;
              }

              @Override
              public boolean isRecent(SearchId id) {
                return recentSearches.contains(id);
              }
            },
            settings);
    backfill = matching.searchBackfill();
  }

  @AfterEach
  void close() {
    engine.close();
    fixture.close();
  }

  private List<Event> events(String topic, boolean reread) {
    List<Event> events =
        fixture.database.read(
            tx ->
                tx.sql("SELECT key, seq, payload FROM outbox WHERE topic = ? ORDER BY seq")
                    .set(topic)
                    .list(
                        row ->
                            new Event(
                                topic,
                                0,
                                row.longAt(2),
                                row.textAt(1),
                                row.longAt(2),
                                row.bytesAt(3),
                                TestClock.START,
                                reread)));
    fixture.clearOutbox(topic);
    return events;
  }

  private void project() throws Exception {
    List<Event> events = events("torg.favorites", false);
    new FavoritesProjectionConsumer(fixture.database, fixture.outbox, fixture.clock).handle(events);
  }

  private static Query query(String text) {
    return QueryCanonicalizer.canonical(cars(text));
  }

  private AddedSearch added(String text) {
    Query query = query(text);
    engine.add(query);
    return new AddedSearch(query.searchId(), query, fixture.clock.instant());
  }

  @Test
  void match_searchThatReachedTheEngineAfterTheOffer_isSent() throws Exception {
    fixture.search(recipient, cars("wagon"), "");
    project();
    AddedSearch search = added("wagon");
    engine.remove(search.id());
    Offer offer = fixture.publish(seller, car("Wagon", 1000));
    Offer other = fixture.publish(seller, car("Coupe", 1000));
    matching.handle(events("torg.offers", false));
    assertThat(sent).isEmpty();
    engine.add(search.query());
    backfill.match(List.of(search));
    assertThat(sent)
        .extracting(alert -> alert.content().offer().toString())
        .containsExactly(offer.getId());
    assertThat(sent).extracting(Alert::recipient).containsExactly(recipient);
    assertThat(other.getId()).isNotEqualTo(offer.getId());
  }

  @Test
  void match_offersNoLongerCached_areReadFromTheDatabase() throws Exception {
    close();
    AlertSettings defaults = AlertSettings.defaults(AlertsFixture.temporary());
    open(
        new AlertSettings(
            defaults.snapshot(),
            defaults.snapshotEvery(),
            defaults.debounce(),
            defaults.largeAudience(),
            defaults.popularOfferSavers(),
            defaults.perHour(),
            defaults.perDay(),
            100,
            defaults.maxLag(),
            ""));
    fixture.search(recipient, cars("kombi"), "");
    project();
    Query query = query("kombi");
    AddedSearch search = new AddedSearch(query.searchId(), query, fixture.clock.instant());
    Offer offer = fixture.publish(seller, car("Kombi", 1000));
    fixture.publish(seller, car("Coupe", 1000));
    matching.handle(events("torg.offers", false));
    backfill.match(List.of(search));
    assertThat(sent)
        .extracting(alert -> alert.content().offer().toString())
        .containsExactly(offer.getId());
  }

  @Test
  void handle_replayed_sendsRecentSearchesOnly() throws Exception {
    fixture.follow(recipient, seller);
    fixture.search(recipient, cars("old"), "");
    fixture.search(recipient, cars("van"), "");
    project();
    engine.add(query("old"));
    engine.add(query("van"));
    recentSearches.add(query("van").searchId());
    fixture.publish(seller, car("Old van", 1000));
    matching.handle(events("torg.offers", true));
    assertThat(sent).hasSize(1);
    assertThat(sent.getFirst().reasons())
        .extracting(reason -> reason.id())
        .containsExactly(query("van").searchId().hex());
  }

  @Test
  void handle_largeAudience_becomesAFanOutThatEveryAlertNames() throws Exception {
    close();
    open(AlertSettings.defaults(AlertsFixture.temporary()).withLargeAudience(3));
    for (int i = 0; i < 4; i++) {
      fixture.follow(newUser(), seller);
    }
    fixture.search(recipient, cars("lorry"), "");
    project();
    engine.add(query("lorry"));
    Offer offer = fixture.publish(seller, car("Lorry", 1000));
    List<Event> events = events("torg.offers", false);
    matching.handle(events);
    matching.handle(events);
    assertThat(sent).hasSize(2);
    assertThat(sent.getFirst().reasons()).hasSize(2);
    long fanouts =
        fixture.database.read(
            tx ->
                tx.sql("SELECT count(*) FROM fanout WHERE home = ? AND offer_id = ?")
                    .set(Home.of(seller))
                    .set(Long.parseLong(offer.getId()))
                    .first(row -> row.longAt(1))
                    .orElse(0L));
    assertThat(fanouts).isEqualTo(1);
  }

  /// After a backlog there may be many at once: they are sent as they are found, not collected first.
  @Test
  void handle_manyAudiencesAtOnce_areSentInPortions() throws Exception {
    List<String> followers = IntStream.range(0, 600).mapToObj(_ -> newUser()).toList();
    followers.parallelStream().forEach(user -> fixture.follow(user, seller));
    project();
    IntStream.range(0, 20).parallel().forEach(_ -> fixture.publish(seller));
    matching.handle(events("torg.offers", false));
    assertThat(sent).hasSize(600 * 20);
    assertThat(largest).isLessThan(6_000);
    assertThat(bulk).isEmpty();
  }

  @Test
  void handle_manyOfOneSeller_areOneStormForItsFollowersAndNoneOfOthers() throws Exception {
    String calm = newUser();
    String other = newUser();
    fixture.follow(recipient, seller);
    fixture.follow(calm, other);
    project();
    IntStream.range(0, 21).forEach(_ -> fixture.publish(seller));
    IntStream.range(0, 20).forEach(_ -> fixture.publish(other));
    List<Event> events = events("torg.offers", false);
    matching.handle(events);
    // Redelivered offers keep their positions.
    CLOCK.advance(Duration.ofMinutes(3));
    matching.handle(events);
    assertThat(sent).extracting(Alert::recipient).containsOnly(calm);
    assertThat(bulk).isEmpty();
    assertThat(stormTargets(seller)).containsExactly(seller);
    assertThat(count("storm_offer", seller)).isEqualTo(21);
    assertThat(count("fanout", seller)).isZero();
    assertThat(count("storm", other)).isZero();
  }

  /// A feed of a seller with a large audience: no fan-out per offer.
  @Test
  void handle_stormOfALargeAudience_startsNoFanOutPerOffer() throws Exception {
    close();
    open(AlertSettings.defaults(AlertsFixture.temporary()).withLargeAudience(3));
    IntStream.range(0, 5).forEach(_ -> fixture.follow(newUser(), seller));
    String search = "";
    for (int i = 0; i < 5; i++) {
      search = fixture.search(newUser(), cars("hatchback"), "");
    }
    project();
    engine.add(query("hatchback"));
    IntStream.range(0, 100).forEach(_ -> fixture.publish(seller, car("Hatchback", 1000)));
    matching.handle(events("torg.offers", false));
    assertThat(sent).isEmpty();
    assertThat(collapsed).isEmpty();
    assertThat(count("fanout", seller)).isZero();
    assertThat(stormTargets(seller)).containsExactlyInAnyOrder(seller, search);
  }

  /// A search with a small audience gets its part of the storm at once: one record, or single alerts for a
  /// few offers.
  @Test
  void handle_stormForSmallSearches_isOneRecordPerRecipient() throws Exception {
    fixture.search(recipient, cars("estate"), "");
    String other = newUser();
    fixture.search(other, cars("diesel"), "");
    project();
    engine.add(query("estate"));
    engine.add(query("diesel"));
    IntStream.range(0, 40)
        .forEach(i -> fixture.publish(seller, car(i < 3 ? "Diesel estate" : "Estate", 1000)));
    matching.handle(events("torg.offers", false));
    assertThat(collapsed).extracting(StormAlert::recipient).containsExactly(recipient);
    assertThat(collapsed.getFirst().positions().size()).isEqualTo(40);
    assertThat(sent).hasSize(3).extracting(Alert::recipient).containsOnly(other);
    assertThat(bulk).hasSize(3);
    assertThat(stormTargets(seller)).isEmpty();
  }

  /// Many offers of a feed match a search; those of other sellers for the same search are no storm.
  @Test
  void handle_stormMatchesASearch_otherSellersAlertsForItStayOrdinary() throws Exception {
    fixture.search(recipient, cars("roadster"), "");
    project();
    engine.add(query("roadster"));
    List<String> others = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      fixture.publish(seller, car("Roadster", 1000));
      if (i % 10 == 0) {
        others.add(fixture.publish(newUser(), car("Roadster", 1000)).getId());
      }
    }
    matching.handle(events("torg.offers", false));
    assertThat(collapsed).hasSize(1);
    assertThat(collapsed.getFirst().positions().size()).isEqualTo(40);
    assertThat(sent)
        .extracting(alert -> alert.content().offer().toString())
        .containsExactlyInAnyOrderElementsOf(others);
    assertThat(bulk).isEmpty();
  }

  /// One offer with more matches than the number of audiences read at a time.
  @Test
  void handle_offerWithVeryManyMatches_sendsOneAlertPerRecipientWithAllReasons() throws Exception {
    Set<String> all = new HashSet<>();
    for (int i = 0; i < 600; i++) {
      engine.add(query("-word" + i));
    }
    List<String> recipients = IntStream.range(0, 30).mapToObj(_ -> newUser()).toList();
    for (int i = 0; i < 600; i++) {
      all.add(fixture.search(recipients.get(i % 30), cars("-word" + i), ""));
    }
    project();
    fixture.publish(seller, car("Saloon", 1000));
    matching.handle(events("torg.offers", false));
    assertThat(all).hasSize(600);
    assertThat(sent).hasSize(30).allSatisfy(a -> assertThat(a.reasons()).hasSize(20));
  }

  private List<String> stormTargets(String recipient) {
    return fixture.database.read(
        tx ->
            tx.sql("SELECT target FROM storm_target WHERE home = ? AND seller = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .list(row -> row.textAt(1)));
  }

  private long count(String table, String recipient) {
    String column = table.equals("fanout") ? "target" : "seller";
    return fixture.database.read(
        tx ->
            tx.sql("SELECT count(*) FROM " + table + " WHERE home = ? AND " + column + " = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .first(row -> row.longAt(1))
                .orElse(0L));
  }

  @Test
  void handle_repricedOfferWithoutSavers_leavesNothingDue() throws Exception {
    Offer unsaved = fixture.publish(seller);
    Offer saved = fixture.publish(seller);
    fixture.save(recipient, saved);
    project();
    fixture.reprice(unsaved, 99_000);
    fixture.reprice(saved, 99_000);
    matching.handle(events("torg.offers", false));
    List<Long> due =
        fixture.database.read(
            tx ->
                tx.sql("SELECT offer_id FROM price_due WHERE home = ?")
                    .set(Home.of(seller))
                    .list(row -> row.longAt(1)));
    assertThat(due).containsExactly(Long.parseLong(saved.getId()));
  }

  @Test
  void handle_edit_onlyNewMatchesAreSent() throws Exception {
    fixture.search(recipient, cars("bus"), "");
    String other = newUser();
    fixture.search(other, cars("camper"), "");
    project();
    engine.add(query("bus"));
    engine.add(query("camper"));
    Offer offer = fixture.publish(seller, car("Bus", 1000));
    matching.handle(events("torg.offers", false));
    assertThat(sent).extracting(Alert::recipient).containsExactly(recipient);
    sent.clear();
    fixture.edit(offer, car("Camper bus", 1000));
    matching.handle(events("torg.offers", false));
    assertThat(sent).extracting(Alert::recipient).containsExactly(other);
    sent.clear();
    fixture.clock.advance(Duration.ofDays(121));
    fixture.edit(offer, car("Bus", 1000));
    fixture.edit(offer, car("Camper bus", 1000));
    matching.handle(events("torg.offers", false));
    assertThat(sent).isEmpty();
  }
}
