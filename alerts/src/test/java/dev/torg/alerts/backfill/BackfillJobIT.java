package dev.torg.alerts.backfill;

import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Timestamp;
import dev.torg.alerts.AlertTopics;
import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.backfill.BackfillJob.Limits;
import dev.torg.alerts.backfill.BackfillJob.Range;
import dev.torg.alerts.event.Alert;
import dev.torg.alerts.event.AlertReason;
import dev.torg.alerts.event.AlertSink;
import dev.torg.alerts.event.StormAlert;
import dev.torg.api.v1.Favorite;
import dev.torg.api.v1.FavoriteEvent;
import dev.torg.api.v1.Filter;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.SearchQuery;
import dev.torg.favorites.projection.FavoritesProjectionConsumer;
import dev.torg.offers.Offers;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.Event;
import dev.torg.queries.QueryCanonicalizer;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// New subscriptions are matched against the offers activated before they were projected.
class BackfillJobIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  private static final Limits LIMITS = Limits.defaults();

  private final String recipient = newUser();
  private final String seller = newUser();
  private final List<Alert> sent = new ArrayList<>();
  private final List<Alert> stormAlerts = new ArrayList<>();
  private final List<StormAlert> collapsed = new ArrayList<>();
  private boolean allowsStorms = true;
  private final AtomicInteger seq = new AtomicInteger();
  private AlertsFixture fixture;
  private FavoritesProjectionConsumer projecting;
  private BackfillJob job;

  @BeforeEach
  void open() {
    fixture = new AlertsFixture(TABLES);
    fixture.clear("offer");
    fixture.clear("subscription_backfill");
    fixture.clear("outbox");
    projecting = new FavoritesProjectionConsumer(fixture.database, fixture.outbox, fixture.clock);
    job = job(this::send, LIMITS);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void send(String topic, Iterable<Alert> alerts) {
    alerts.forEach(
        alert -> {
          sent.add(alert);
          if (!topic.equals(AlertTopics.NORMAL)) {
            stormAlerts.add(alert);
          }
        });
  }

  private BackfillJob job(AlertSink sink, Limits limits) {
    return new BackfillJob(
        fixture.offers.offers(),
        fixture.favorites.backfills(),
        new BackfillJob.Sending(fixture.database, sink, collapsed::addAll, () -> allowsStorms),
        limits,
        fixture.clock,
        fixture.registry);
  }

  private boolean run(Range range) {
    return job.run(range, fixture.clock.instant(), () -> true);
  }

  private double counted(String target) {
    return fixture.registry.get("torg.alerts.backfill.offers." + target).counter().count();
  }

  private long waiting() {
    return fixture.favorites.backfills().count();
  }

  // Events of favorites.

  private void projectOutbox() throws Exception {
    List<Event> events =
        fixture.database.read(
            tx ->
                tx.sql("SELECT key, seq, payload FROM outbox WHERE topic = ? ORDER BY seq")
                    .set("torg.favorites")
                    .list(row -> event(row.textAt(1), row.longAt(2), row.bytesAt(3))));
    fixture.clear("outbox");
    projecting.handle(events);
  }

  private static Event event(String key, long seq, byte[] payload) {
    return new Event("torg.favorites", 0, seq, key, seq, payload, TestClock.START, false);
  }

  private void project(FavoriteEvent... events) throws Exception {
    projecting.handle(
        Arrays.stream(events)
            .map(event -> event(event.getOwner(), event.getSeq(), event.toByteArray()))
            .toList());
  }

  private FavoriteEvent.Builder added(String owner, Instant at) {
    return FavoriteEvent.newBuilder()
        .setOwner(owner)
        .setSeq(seq.incrementAndGet())
        .setAdded(true)
        .setAt(timestamp(at))
        .setCreatedAt(timestamp(at));
  }

  private FavoriteEvent subscribes(String owner, SearchQuery query, Instant at) {
    return added(owner, at)
        .setKind(Favorite.Kind.SEARCH)
        .setId(QueryCanonicalizer.canonical(query).searchId().hex())
        .setQuery(query)
        .build();
  }

  private FavoriteEvent follows(String owner, String seller, Instant at) {
    return added(owner, at).setKind(Favorite.Kind.SELLER).setId(seller).build();
  }

  private static Timestamp timestamp(Instant at) {
    return Timestamp.newBuilder().setSeconds(at.getEpochSecond()).setNanos(at.getNano()).build();
  }

  /// Copies an offer's row, with activations spread over the time until now.
  private void copies(Offer offer, int count, Duration ago) {
    OfferId id = OfferId.parse(offer.getId());
    Instant now = fixture.clock.instant();
    Duration step = ago.dividedBy(count);
    fixture.database.inTransaction(
        tx ->
            tx.sql(
                    """
                    INSERT INTO offer (home, id, kind, version, seq, edited_version, status, presets,
                                       created_at, activated_at, seller, category, region, body)
                    SELECT o.home, o.id + n, o.kind, o.version, o.seq, o.edited_version, o.status,
                           o.presets, o.created_at, ?::timestamptz - n * (? * interval '1 microsecond'),
                           o.seller, o.category, o.region, o.body
                      FROM offer o, generate_series(1, ?) AS n
                     WHERE o.home = ? AND o.id = ? AND o.kind = 'offer'
                    """)
                .set(now)
                .set(step.toNanos() / 1000)
                .set(count)
                .set(id.home())
                .set(id.number())
                .update());
  }

  @Test
  void run_hourOfLagAndThousandsWaiting_readsEachOfferOnce() throws Exception {
    int offers = 36_000;
    Instant start = fixture.clock.instant();
    fixture.clock.advance(Duration.ofHours(1));
    copies(fixture.publish(seller, car("Golf", 1)), offers, Duration.ofMinutes(59));
    for (int batch = 0; batch < 6; batch++) {
      int first = batch * 500;
      project(
          IntStream.range(first, first + 500)
              .mapToObj(i -> subscribes("user:w" + i, cars("golf w" + i), start.plusSeconds(i)))
              .toArray(FavoriteEvent[]::new));
    }
    assertThat(waiting()).isEqualTo(3_000);
    assertThat(run(Range.OLDER)).isFalse();
    assertThat(waiting()).isZero();
    assertThat(counted("scanned")).isEqualTo(offers + 1);
    assertThat(counted("analysed")).isEqualTo(offers + 1);
  }

  @Test
  void run_logins_shareOnePassOverTheLastQuarterOfAnHour() throws Exception {
    fixture.clock.advance(Duration.ofHours(1));
    Instant now = fixture.clock.instant();
    copies(fixture.publish(seller, car("Golf", 1)), 1_000, Duration.ofMinutes(14));
    copies(fixture.publish(seller, car("Polo", 1)), 500, Duration.ofMinutes(59));
    for (int i = 0; i < 50; i++) {
      FavoriteEvent old = subscribes("user:m" + i, cars("golf m" + i), now);
      project(old.toBuilder().setCreatedAt(timestamp(TestClock.START)).build());
    }
    run(Range.OLDER);
    assertThat(waiting()).isZero();
    assertThat(counted("scanned")).isLessThan(1_000 + 500 / 3);
  }

  @Test
  void run_searchesOfACategoryAndRegion_readNoOtherOffers() throws Exception {
    Instant before = fixture.clock.instant();
    fixture.publish(seller, car("Golf", 1).toBuilder().setRegion("de/bayern").build());
    fixture.publish(
        seller,
        Offer.newBuilder()
            .setCategory("electronics")
            .setTitle("Golf radio")
            .setRegion("de/hessen")
            .build());
    Offer near = fixture.publish(seller, car("Golf", 1));
    project(
        subscribes(recipient, cars("golf").toBuilder().addRegions("de/hessen").build(), before));
    run(Range.RECENT);
    assertThat(sent)
        .extracting(alert -> alert.content().offer().toString())
        .containsExactly(near.getId());
    assertThat(counted("scanned")).isEqualTo(1);
  }

  @Test
  void run_attributesDiffer_textIsNotAnalysed() throws Exception {
    Instant before = fixture.clock.instant();
    IntStream.range(0, 10).forEach(i -> fixture.publish(seller, car("Golf " + i, i)));
    SearchQuery bmw =
        cars("golf").toBuilder()
            .addFilters(Filter.newBuilder().setKey("brand").addAnyOf("bmw"))
            .build();
    project(subscribes(recipient, bmw, before));
    run(Range.RECENT);
    assertThat(sent).isEmpty();
    assertThat(counted("scanned")).isEqualTo(10);
    assertThat(counted("analysed")).isZero();
  }

  @Test
  void run_followers_readTheSellersOffersOnly() throws Exception {
    Instant before = fixture.clock.instant();
    IntStream.range(0, 10).forEach(_ -> fixture.publish(newUser()));
    Offer offer = fixture.publish(seller);
    project(
        follows(recipient, seller, before),
        subscribes(newUser(), cars("car").toBuilder().setSellerId(seller).build(), before));
    run(Range.RECENT);
    assertThat(sent)
        .hasSize(2)
        .extracting(alert -> alert.content().offer().toString())
        .containsOnly(offer.getId());
    assertThat(counted("scanned")).isEqualTo(1);
  }

  @Test
  void run_severalRulesOfARecipient_sendOneAlertWithAllReasons() throws Exception {
    Instant before = fixture.clock.instant();
    fixture.publish(seller, car("Red golf", 1));
    project(
        subscribes(recipient, cars("golf"), before),
        subscribes(recipient, cars("red"), before),
        subscribes(recipient, cars("blue"), before),
        follows(recipient, seller, before));
    run(Range.RECENT);
    assertThat(sent).hasSize(1);
    assertThat(sent.getFirst().reasons()).hasSize(3).contains(AlertReason.seller(seller));
  }

  @Test
  void run_moreSearchesOfARecipientThanAnAlertNames_names20() throws Exception {
    Instant before = fixture.clock.instant();
    fixture.publish(seller, car("Golf", 1));
    project(
        IntStream.range(0, 300)
            .mapToObj(i -> subscribes(recipient, cars("golf -b" + i), before))
            .toArray(FavoriteEvent[]::new));
    run(Range.RECENT);
    assertThat(sent).hasSize(1);
    assertThat(sent.getFirst().reasons()).hasSize(Alert.MAX_REASONS);
    assertThat(sent.getFirst().reasonsTruncated()).isTrue();
  }

  @Test
  void run_offersOutsideTheSubscriptionsTime_areNotSent() throws Exception {
    Offer before = fixture.publish(seller);
    fixture.follow(recipient, seller);
    Offer after = fixture.publish(seller);
    fixture.follow(seller, seller);
    projectOutbox();
    run(Range.RECENT);
    assertThat(sent)
        .extracting(alert -> alert.content().offer().toString())
        .containsExactly(after.getId())
        .doesNotContain(before.getId());
  }

  @Test
  void run_unreadableOffer_othersAreSent() throws Exception {
    Instant before = fixture.clock.instant();
    OfferId broken = OfferId.parse(fixture.publish(seller).getId());
    Offer sound = fixture.publish(seller);
    fixture.database.inTransaction(
        tx ->
            tx.sql("UPDATE offer SET body = ? WHERE home = ? AND id = ? AND kind = 'offer'")
                .set(new byte[] {-1})
                .set(broken.home())
                .set(broken.number())
                .update());
    project(follows(recipient, seller, before));
    run(Range.RECENT);
    assertThat(sent)
        .extracting(alert -> alert.content().offer().toString())
        .containsExactly(sound.getId());
    assertThat(counted("unreadable")).isEqualTo(1);
    assertThat(waiting()).isZero();
  }

  @Test
  void run_sendingFails_servesTheSubscriptionAgain() throws Exception {
    Instant before = fixture.clock.instant();
    fixture.publish(seller);
    project(follows(recipient, seller, before));
    BackfillJob failing =
        job(
            (topic, alerts) -> {
              throw new IllegalStateException("Kafka is unavailable");
            },
            LIMITS);
    assertThatThrownBy(() -> failing.run(Range.RECENT, fixture.clock.instant(), () -> true))
        .hasMessage("Kafka is unavailable");
    assertThat(waiting()).isEqualTo(1);
    run(Range.RECENT);
    assertThat(sent).hasSize(1);
    assertThat(waiting()).isZero();
  }

  @Test
  void run_stoppedBetweenPages_continuesWhereItStopped() throws Exception {
    Instant start = fixture.clock.instant();
    fixture.clock.advance(Duration.ofHours(1));
    copies(
        fixture.publish(seller, car("Golf", 1)),
        3 * Offers.ACTIVATED_PAGE_SIZE,
        Duration.ofMinutes(30));
    project(subscribes(recipient, cars("golf"), start));
    AtomicInteger checks = new AtomicInteger();
    boolean more =
        job.run(Range.OLDER, fixture.clock.instant(), () -> checks.incrementAndGet() <= 2);
    assertThat(more).isFalse();
    assertThat(waiting()).isEqualTo(1);
    assertThat(counted("scanned")).isEqualTo(2 * Offers.ACTIVATED_PAGE_SIZE);
    run(Range.OLDER);
    assertThat(waiting()).isZero();
    // The last offer before the stop is read again: others may have been activated with it.
    assertThat(counted("scanned")).isEqualTo(3 * Offers.ACTIVATED_PAGE_SIZE + 2);
  }

  @Test
  void run_requestedAgainMeanwhile_keepsTheNewRequest() throws Exception {
    Instant before = fixture.clock.instant();
    fixture.publish(seller);
    project(follows(recipient, seller, before));
    BackfillJob interrupted =
        job(
            (topic, alerts) -> {
              try {
                project(follows(recipient, seller, before.plusSeconds(1)));
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            },
            LIMITS);
    interrupted.run(Range.RECENT, fixture.clock.instant(), () -> true);
    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void run_moreThanMemoryAllows_servesTheOthersNext() throws Exception {
    Instant before = fixture.clock.instant();
    fixture.publish(seller, car("Golf", 1));
    project(
        IntStream.range(0, 150)
            .mapToObj(i -> subscribes("user:b" + i, cars("golf -b" + i), before))
            .toArray(FavoriteEvent[]::new));
    job = job(this::send, new Limits(1_000, 1));
    assertThat(run(Range.RECENT)).isTrue();
    assertThat(waiting()).isEqualTo(50);
    assertThat(run(Range.RECENT)).isFalse();
    assertThat(waiting()).isZero();
    assertThat(sent).extracting(Alert::recipient).hasSize(150).doesNotHaveDuplicates();
  }

  /// A row that reaches back over an hour belongs to the other range.
  @Test
  void run_recent_doesNotWaitForAnHourOfOffers() throws Exception {
    Instant start = fixture.clock.instant();
    fixture.clock.advance(Duration.ofHours(1));
    copies(fixture.publish(seller, car("Golf", 1)), 1_000, Duration.ofMinutes(59));
    project(subscribes(newUser(), cars("golf"), start));
    Instant before = fixture.clock.instant();
    fixture.publish(seller, car("Golf", 1));
    project(subscribes(recipient, cars("golf"), before));
    run(Range.RECENT);
    assertThat(sent).extracting(Alert::recipient).containsExactly(recipient);
    assertThat(counted("scanned")).isEqualTo(1);
    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void project_sameEventsTwice_leavesOneRequest() throws Exception {
    FavoriteEvent event = follows(recipient, seller, fixture.clock.instant());
    project(event);
    project(event);
    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void run_unreadableQuery_isRemovedAndOthersAreServed() throws Exception {
    Instant before = fixture.clock.instant();
    fixture.publish(seller, car("Golf", 1));
    FavoriteEvent broken = subscribes(newUser(), cars("polo"), before);
    project(broken, subscribes(recipient, cars("golf"), before));
    fixture.database.inTransaction(
        tx ->
            tx.sql("UPDATE search SET query = ? WHERE home = ? AND search_id = ?")
                .set(new byte[] {-1})
                .set(Home.of(broken.getId()))
                .set(broken.getId())
                .update());
    run(Range.RECENT);
    assertThat(sent).extracting(Alert::recipient).containsExactly(recipient);
    assertThat(waiting()).isZero();
  }

  @Test
  void run_manyOffersOfOneSeller_useTheTopicOfStorms() throws Exception {
    String calm = newUser();
    fixture.follow(recipient, seller);
    fixture.follow(recipient, calm);
    fixture.clock.advance(Duration.ofSeconds(1));
    IntStream.range(0, 21).forEach(_ -> fixture.publish(seller));
    IntStream.range(0, 20).forEach(_ -> fixture.publish(calm));
    projectOutbox();
    run(Range.RECENT);
    assertThat(sent).hasSize(20).extracting(alert -> alert.content().seller()).containsOnly(calm);
    assertThat(stormAlerts).isEmpty();
    assertThat(collapsed).hasSize(1);
    assertThat(collapsed.getFirst().seller()).isEqualTo(seller);
    assertThat(collapsed.getFirst().positions().size()).isEqualTo(21);
  }

  @Test
  void run_followsAndSubscribesLate_isOneRecordThatCountsEachOfferOnce() throws Exception {
    fixture.follow(recipient, seller);
    fixture.search(recipient, cars("golf"), "golf");
    List<Offer> offers =
        IntStream.range(0, 60).mapToObj(i -> fixture.publish(seller, car("Golf", i + 1))).toList();
    projectOutbox();
    fixture
        .writer()
        .handle(AlertsFixture.events(AlertsFixture.alert(recipient, offers.getFirst())));
    run(Range.RECENT);
    assertThat(sent).isEmpty();
    assertThat(collapsed).hasSize(1);
    assertThat(collapsed.getFirst().matches().keySet())
        .hasSize(2)
        .startsWith(AlertReason.seller(seller));
    for (int times = 0; times < 2; times++) {
      write(collapsed);
    }
    fixture.writer().handle(AlertsFixture.events(AlertsFixture.alert(recipient, offers.getLast())));
    assertThat(fixture.bell(recipient))
        .extracting(Notification::getTitle)
        .containsExactlyInAnyOrder("59 new offers", offers.getFirst().getTitle());
  }

  private void write(List<StormAlert> storms) throws Exception {
    fixture
        .writer()
        .handle(
            storms.stream().map(storm -> event(storm.recipient(), 0, storm.toBytes())).toList());
  }

  /// A catalogue and many followers of its seller: one record per follower, not one per offer.
  @Test
  void run_manyFollowADelayedSeller_isOneRecordEach() throws Exception {
    Instant start = fixture.clock.instant();
    fixture.clock.advance(Duration.ofHours(1));
    IntStream.range(0, 100).forEach(i -> fixture.publish(seller, car("Golf", i + 1)));
    project(
        IntStream.range(0, 300)
            .mapToObj(i -> follows("user:f" + i, seller, start))
            .toArray(FavoriteEvent[]::new));
    run(Range.OLDER);
    assertThat(sent).isEmpty();
    assertThat(collapsed).hasSize(300);
    assertThat(collapsed).extracting(storm -> storm.positions().size()).containsOnly(100);
    assertThat(waiting()).isZero();
  }

  @Test
  void run_backpressure_stormWaitsAndOthersAreServed() throws Exception {
    Instant before = fixture.clock.instant();
    String calm = newUser();
    fixture.clock.advance(Duration.ofSeconds(1));
    IntStream.range(0, 30).forEach(_ -> fixture.publish(seller));
    Offer offer = fixture.publish(calm);
    project(follows(recipient, seller, before), follows(recipient, calm, before));
    allowsStorms = false;
    assertThat(run(Range.RECENT)).isFalse();
    assertThat(collapsed).isEmpty();
    assertThat(sent)
        .extracting(alert -> alert.content().offer().toString())
        .containsExactly(offer.getId());
    assertThat(waiting()).isEqualTo(1);
    double scanned = counted("scanned");
    assertThat(run(Range.RECENT)).isFalse();
    assertThat(counted("scanned")).as("must not be scanned").isEqualTo(scanned);
    allowsStorms = true;
    run(Range.RECENT);
    assertThat(collapsed).hasSize(1);
    assertThat(collapsed.getFirst().positions().size()).isEqualTo(30);
    assertThat(waiting()).isZero();
  }

  /// Many offers of many sellers for one search cannot be collapsed; they wait while backpressure lasts, too.
  @Test
  void run_manyOffersForASearch_useTheTopicOfStormsAndBackpressure() throws Exception {
    Instant before = fixture.clock.instant();
    IntStream.range(0, 21).forEach(_ -> fixture.publish(newUser(), car("Golf", 1)));
    project(subscribes(recipient, cars("golf"), before));
    allowsStorms = false;
    run(Range.RECENT);
    assertThat(sent).isEmpty();
    assertThat(waiting()).isEqualTo(1);
    allowsStorms = true;
    run(Range.RECENT);
    assertThat(stormAlerts).hasSize(21);
    assertThat(collapsed).isEmpty();
    assertThat(waiting()).isZero();
  }

  /// As long as anything may lag.
  @Test
  void run_mergedFavorite_findsOffersInFlight() throws Exception {
    var token = fixture.tokens.issueAnonymous();
    fixture.follow(token.subject(), seller);
    fixture.follow(recipient, seller);
    fixture.clock.advance(Duration.ofHours(1));
    fixture.publish(seller);
    fixture.clock.advance(Duration.ofMinutes(30));
    Offer inFlight = fixture.publish(seller);
    fixture.clock.advance(Duration.ofMinutes(14));
    fixture.clear("outbox");
    fixture.mergeInto(token, recipient);
    projectOutbox();
    run(Range.OLDER);
    assertThat(sent)
        .extracting(alert -> alert.content().offer().toString())
        .containsExactly(inFlight.getId());
    assertThat(sent).extracting(Alert::recipient).containsExactly(recipient);
  }
}
