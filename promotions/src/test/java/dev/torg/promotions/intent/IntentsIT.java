package dev.torg.promotions.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.FeedPromotion;
import dev.torg.api.v1.FeedPromotionsEvent;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.PromotedService;
import dev.torg.api.v1.PromotionEvent;
import dev.torg.offers.OfferTopics;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.kafka.Event;
import dev.torg.promotions.PromotionTopics;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// From an intent to the services of its offer.
class IntentsIT {
  @RegisterExtension static final TestDatabase TABLES = IntentsFixture.tables();

  private final String seller = IntentsFixture.newSeller();
  private final IntentKey key = IntentsFixture.newKey(seller);
  private IntentsFixture fixture;

  @BeforeEach
  void open() {
    fixture = new IntentsFixture(TABLES);
  }

  @AfterEach
  void close() {
    assertThat(fixture.audit.findings(Home.of(seller))).isEmpty();
    fixture.close();
  }

  @Test
  void offerBeforeIntent_isPromoted() throws Exception {
    fixture.topUp(seller, 1_000);
    Offer offer = fixture.publish(key);
    fixture.put(key, "premium");
    fixture.buy(seller);
    assertThat(fixture.active(offer)).containsExactly("premium");
    assertThat(fixture.entries(seller)).containsExactly(1_000L, -500L);
    assertThat(fixture.balance(seller)).isEqualTo(500);
    Intent intent = fixture.intents.service().get(key);
    assertThat(intent.state()).isEqualTo(IntentState.APPLIED);
    assertThat(intent.offer().orElseThrow()).hasToString(offer.getId());
    assertThat(events(offer)).containsExactly(List.of("premium"));
  }

  @Test
  void intentBeforeOffer_isAppliedWhenTheOfferAppears() {
    fixture.topUp(seller, 1_000);
    fixture.put(key, "premium");
    fixture.buy(seller);
    assertThat(fixture.state(key)).isEqualTo(IntentState.WAITING_FOR_OFFER);
    assertThat(fixture.entries(seller)).containsExactly(1_000L);
    Offer offer = fixture.publish(key);
    fixture.buy(seller);
    assertThat(fixture.active(offer)).isEmpty();
    fixture.consumeOffers();
    fixture.buy(seller);
    assertThat(fixture.active(offer)).containsExactly("premium");
    fixture.consumeOffers();
    fixture.buy(seller);
    assertThat(fixture.entries(seller)).containsExactly(1_000L, -500L);
  }

  @Test
  void offerThatAppearsWhileItsIntentIsExamined_isNotMissed() {
    fixture.topUp(seller, 1_000);
    fixture.put(key, "premium");
    Intent read = fixture.intents.service().get(key);
    List<ExaminedIntent> examined =
        List.of(
            new ExaminedIntent(
                read, java.util.Optional.empty(), new IntentDecision.Prices.NotNeeded(), "x"));
    Offer offer = fixture.publish(key);
    fixture.consumeOffers();
    decide(examined);
    assertThat(fixture.intents.service().get(key).runAt()).isPresent();
    fixture.buy(seller);
    assertThat(fixture.active(offer)).containsExactly("premium");
  }

  private void decide(List<ExaminedIntent> examined) {
    IntentBuyer buyer =
        new IntentBuyer(
            fixture.writer,
            fixture.ledger,
            fixture.notifications.bell(),
            new UnpaidNotices(
                fixture.notifications.settings(),
                dev.torg.notifications.TopicChannels.defaults(),
                ""));
    fixture.database.inTransaction(tx -> buyer.decide(tx, examined, fixture.clock.instant()));
  }

  @Test
  void repeatedIntent_buysNothingNew_andAsksForNoPrice_whileTheServiceIsActive() {
    fixture.topUp(seller, 2_000);
    Offer offer = fixture.publish(key);
    for (int i = 0; i < 5; i++) {
      fixture.put(key, "premium");
      fixture.buy(seller);
    }
    assertThat(fixture.entries(seller)).containsExactly(2_000L, -500L);
    assertThat(fixture.prices.requests).hasValue(1);
    fixture.clock.advance(FixedPrices.DURATION.plusSeconds(1));
    fixture.buy(seller);
    assertThat(fixture.entries(seller)).as("nobody has repeated it").hasSize(2);
    fixture.put(key, "premium");
    fixture.buy(seller);
    assertThat(fixture.entries(seller)).containsExactly(2_000L, -500L, -500L);
    assertThat(fixture.active(offer)).containsExactly("premium");
  }

  @Test
  void moreServices_buyOnlyWhatIsMissing() {
    fixture.topUp(seller, 2_000);
    Offer offer = fixture.publish(key);
    fixture.put(key, "premium");
    fixture.buy(seller);
    fixture.put(key, "premium", "raise");
    fixture.buy(seller);
    assertThat(fixture.active(offer)).containsExactly("premium", "raise");
    assertThat(fixture.entries(seller)).containsExactly(2_000L, -500L, -200L);
  }

  @Test
  void bundle_isOneCharge_andWaitsForAPartThatIsActive() {
    fixture.topUp(seller, 2_000);
    Offer offer = fixture.publish(key);
    fixture.put(key, "raise");
    fixture.buy(seller);
    fixture.put(key, "turbo");
    fixture.buy(seller);
    assertThat(fixture.entries(seller)).containsExactly(2_000L, -200L);
    fixture.clock.advance(FixedPrices.DURATION.plusSeconds(1));
    fixture.buy(seller);
    assertThat(fixture.active(offer)).containsExactly("highlight", "premium", "raise", "turbo");
    assertThat(fixture.entries(seller)).containsExactly(2_000L, -200L, -900L);
  }

  @Test
  void insufficientBalance_waits_andNotifiesOnce_howeverOftenItIsTriedAndForHoweverManyOffers() {
    fixture.topUp(seller, 100);
    IntentKey second = IntentsFixture.newKey(seller);
    fixture.publish(key);
    fixture.publish(second);
    for (int i = 0; i < 3; i++) {
      fixture.put(key, "premium");
      fixture.put(second, "premium", "raise");
      fixture.buy(seller);
    }
    assertThat(fixture.state(key)).isEqualTo(IntentState.WAITING_FOR_BALANCE);
    assertThat(fixture.state(second)).isEqualTo(IntentState.WAITING_FOR_BALANCE);
    assertThat(fixture.entries(seller)).containsExactly(100L);
    List<Notification> bell = fixture.bell(seller);
    assertThat(bell).hasSize(1);
    assertThat(bell.getFirst().getTitle()).contains("VW Golf");
    assertThat(bell.getFirst().getText()).contains("EUR", "1.00 EUR");
  }

  @Test
  void topUp_wakesWhatWaits_andTheSellerIsNotifiedAgainOnlyAfterwards() {
    IntentKey second = IntentsFixture.newKey(seller);
    Offer one = fixture.publish(key);
    Offer other = fixture.publish(second);
    fixture.put(key, "premium");
    fixture.put(second, "premium");
    fixture.buy(seller);
    assertThat(fixture.bell(seller)).hasSize(1);
    fixture.topUp(seller, 600);
    fixture.buy(seller);
    assertThat(List.of(fixture.active(one), fixture.active(other)))
        .containsExactlyInAnyOrder(List.of("premium"), List.of());
    assertThat(fixture.bell(seller)).as("one still waits").hasSize(1);
    fixture.topUp(seller, 400);
    fixture.buy(seller);
    assertThat(fixture.active(one)).containsExactly("premium");
    assertThat(fixture.active(other)).containsExactly("premium");
    assertThat(fixture.balance(seller)).isZero();
    IntentKey third = IntentsFixture.newKey(seller);
    fixture.publish(third);
    fixture.put(third, "raise");
    fixture.buy(seller);
    assertThat(fixture.bell(seller)).as("a new shortage").hasSize(2);
  }

  @Test
  void refundToTheBalance_wakesWhatWaits() {
    fixture.topUp(seller, 500);
    IntentKey second = IntentsFixture.newKey(seller);
    fixture.publish(key);
    Offer other = fixture.publish(second);
    fixture.put(key, "premium");
    fixture.buy(seller);
    fixture.put(second, "premium");
    fixture.buy(seller);
    assertThat(fixture.active(other)).isEmpty();
    String charge =
        fixture.ledgerReader.page(seller, 1, "").entries().getFirst().entry().reference();
    fixture.database.transact(
        tx ->
            fixture.ledger.post(
                tx,
                List.of(
                    dev.torg.promotions.ledger.Posting.of(
                        dev.torg.promotions.ledger.LedgerEntry.refundOfCharge(
                            seller,
                            new dev.torg.platform.Money(500, "EUR"),
                            charge,
                            charge,
                            "ended early"))),
                fixture.clock.instant()));
    fixture.buy(seller);
    assertThat(fixture.active(other)).containsExactly("premium");
  }

  @Test
  void offerThatIsNotActive_isWaitedFor() {
    fixture.topUp(seller, 1_000);
    Offer offer = fixture.publish(key);
    fixture.withdraw(offer);
    fixture.put(key, "premium");
    fixture.buy(seller);
    assertThat(fixture.state(key)).isEqualTo(IntentState.WAITING_FOR_OFFER);
    fixture.reactivate(offer);
    fixture.consumeOffers();
    fixture.buy(seller);
    assertThat(fixture.active(offer)).containsExactly("premium");
  }

  /// The ban is reported between the read of the offer and the decision.
  @Test
  void banDuringTheExamination_chargesNothing() {
    fixture.topUp(seller, 1_000);
    Offer offer = fixture.publish(key);
    fixture.put(key, "premium");
    IntentReader reader =
        new IntentReader(
            fixture.database,
            fixture.offers.offers(),
            fixture.writer,
            fixture.reader,
            fixture.prices);
    List<ExaminedIntent> examined = reader.read(List.of(fixture.intents.service().get(key)));
    fixture.ban(offer);
    fixture.consumeOffers();
    decide(examined);
    assertThat(fixture.active(offer)).isEmpty();
    assertThat(fixture.entries(seller)).containsExactly(1_000L);
    assertThat(fixture.state(key)).isEqualTo(IntentState.WAITING_FOR_OFFER);
  }

  @Test
  void priceThatIsUnavailable_isRetriedLater_andOneThatDoesNotExistOnlyWhenRepeated() {
    fixture.topUp(seller, 1_000);
    Offer offer = fixture.publish(key);
    fixture.prices.failWith(Failure.unavailable("promotion.price-unavailable", "later", null));
    fixture.put(key, "premium");
    fixture.buy(seller);
    assertThat(fixture.state(key)).isEqualTo(IntentState.WAITING_FOR_PRICE);
    fixture.prices.recover();
    fixture.buy(seller);
    assertThat(fixture.active(offer)).isEmpty();
    fixture.clock.advance(Duration.ofSeconds(31));
    fixture.buy(seller);
    assertThat(fixture.active(offer)).containsExactly("premium");

    IntentKey second = IntentsFixture.newKey(seller);
    Offer other = fixture.publish(second);
    fixture.prices.failWith(Failure.notFound("promotion.no-price", "none"));
    fixture.put(second, "raise");
    fixture.buy(seller);
    fixture.prices.recover();
    fixture.clock.advance(Duration.ofHours(5));
    fixture.buy(seller);
    assertThat(fixture.state(second)).isEqualTo(IntentState.WAITING_FOR_PRICE);
    fixture.put(second, "raise");
    fixture.buy(seller);
    assertThat(fixture.active(other)).containsExactly("raise");
  }

  @Test
  void defectOfOneIntent_doesNotBlockTheOthers() {
    fixture.topUp(seller, 1_000);
    IntentKey second = IntentsFixture.newKey(seller);
    fixture.publish(key);
    Offer other = fixture.publish(second);
    fixture.intents.service().arrive(List.of(new IntentArrival(key, List.of("defect"), 1)));
    fixture.put(second, "premium");
    fixture.buy(seller);
    assertThat(fixture.active(other)).containsExactly("premium");
    assertThat(fixture.intents.service().get(key).runAt().orElseThrow())
        .isAfter(fixture.clock.instant());
  }

  @Test
  void removedIntent_isGone_andALateArrivalDoesNotBringItBack() {
    fixture.topUp(seller, 1_000);
    fixture.publish(key);
    IntentArrival arrival =
        new IntentArrival(key, List.of("premium"), EpochMicros.of(fixture.clock.instant()));
    fixture.intents.service().arrive(List.of(arrival));
    fixture.intents.service().remove(key);
    fixture.intents.service().arrive(List.of(arrival));
    fixture.buy(seller);
    assertThat(fixture.entries(seller)).containsExactly(1_000L);
    assertThatThrownBy(() -> fixture.intents.service().get(key))
        .isInstanceOf(Failure.class)
        .extracting("code")
        .isEqualTo("promotion-intent.not-found");
    fixture.put(key, "premium");
    fixture.buy(seller);
    assertThat(fixture.entries(seller)).containsExactly(1_000L, -500L);
  }

  @Test
  void removalOfWhatWaitsForTheBalance_endsTheShortage() {
    fixture.publish(key);
    fixture.put(key, "premium");
    fixture.buy(seller);
    fixture.intents.service().remove(key);
    fixture.put(key, "premium");
    fixture.buy(seller);
    assertThat(fixture.bell(seller)).hasSize(2);
  }

  @Test
  void arrivalThatWasAppliedBefore_changesNothing() {
    fixture.topUp(seller, 1_000);
    IntentArrival old = new IntentArrival(key, List.of("raise"), 100);
    IntentArrival later = new IntentArrival(key, List.of("premium"), 200);
    fixture.intents.service().arrive(List.of(later, old));
    fixture.intents.service().arrive(List.of(old));
    assertThat(fixture.intents.service().get(key).services()).containsExactly("premium");
    assertThat(fixture.intents.service().get(key).version()).isEqualTo(1);
  }

  @Test
  void intentOfAFeed_isBoughtOnce_howeverOftenItIsDelivered_andEndsWithAnEmptyList()
      throws Exception {
    fixture.topUp(seller, 2_000);
    Offer offer = fixture.publish(key);
    feed(1, "premium");
    fixture.buy(seller);
    feed(1, "premium");
    feed(2, "premium");
    fixture.buy(seller);
    assertThat(fixture.active(offer)).containsExactly("premium");
    assertThat(fixture.entries(seller)).containsExactly(2_000L, -500L);
    feed(3);
    feed(2, "premium");
    assertThatThrownBy(() -> fixture.intents.service().get(key)).isInstanceOf(Failure.class);
  }

  private void feed(long seq, String... services) throws InvalidProtocolBufferException {
    FeedPromotionsEvent event =
        FeedPromotionsEvent.newBuilder()
            .setSellerId(seller)
            .setSeq(seq)
            .addItems(
                FeedPromotion.newBuilder()
                    .setExternalId(key.externalId())
                    .addAllServices(List.of(services)))
            .build();
    new FeedIntentsConsumer(fixture.intents.service())
        .handle(
            List.of(
                new Event(
                    OfferTopics.FEED_PROMOTIONS,
                    0,
                    seq,
                    seller,
                    seq,
                    event.toByteArray(),
                    fixture.clock.instant(),
                    false)));
  }

  @Test
  void invalidIntents_areRefusedWithTheirCodes() {
    assertThatThrownBy(() -> fixture.put(key))
        .extracting("code")
        .isEqualTo("promotion-intent.services");
    assertThatThrownBy(() -> fixture.put(key, "premium", "shiny"))
        .extracting("code")
        .isEqualTo("promotion.service-unknown");
    assertThatThrownBy(() -> fixture.put(new IntentKey(seller, "a\nb"), "premium"))
        .extracting("code")
        .isEqualTo("promotion-intent.external-id");
    assertThatThrownBy(() -> fixture.intents.service().remove(key))
        .extracting("code")
        .isEqualTo("promotion-intent.not-found");
  }

  /// Intents, offers and top-ups arrive from several threads while the job runs: each intent is bought once, and the
  /// balance is spent to the last cent.
  @Test
  void everythingAtOnce_buysEachIntentOnce() throws Exception {
    int count = 40;
    List<IntentKey> keys =
        IntStream.range(0, count).mapToObj(_ -> IntentsFixture.newKey(seller)).toList();
    List<Callable<Boolean>> calls = new ArrayList<>();
    for (IntentKey one : keys) {
      calls.add(
          () -> {
            fixture.put(one, "raise");
            return true;
          });
      calls.add(
          () -> {
            fixture.publish(one);
            fixture.consumeOffers();
            return true;
          });
      calls.add(
          () -> {
            fixture.topUp(seller, 200);
            return true;
          });
      calls.add(
          () -> {
            fixture.buy(seller);
            return true;
          });
    }
    java.util.Collections.shuffle(calls, new Random(7));
    try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
      for (Future<Boolean> future : threads.invokeAll(calls, 120, TimeUnit.SECONDS)) {
        future.get();
      }
    }
    fixture.buy(seller);
    assertThat(keys).allMatch(one -> fixture.state(one) == IntentState.APPLIED);
    assertThat(fixture.entries(seller)).filteredOn(amount -> amount < 0).hasSize(count);
    assertThat(fixture.balance(seller)).isZero();
  }

  private List<List<String>> events(Offer offer) throws InvalidProtocolBufferException {
    List<List<String>> services = new ArrayList<>();
    for (Event event : fixture.outbox(PromotionTopics.PROMOTIONS)) {
      PromotionEvent change = PromotionEvent.parseFrom(event.payload());
      if (change.getEntityId().equals(offer.getId())) {
        services.add(change.getServicesList().stream().map(PromotedService::getService).toList());
      }
    }
    return services;
  }
}
