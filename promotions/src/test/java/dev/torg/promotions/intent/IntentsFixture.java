package dev.torg.promotions.intent;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Value;
import dev.torg.api.v1.GiveOpinionRequest;
import dev.torg.api.v1.ListNotificationsRequest;
import dev.torg.api.v1.ModerationServiceGrpc.ModerationServiceImplBase;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationServiceGrpc.NotificationServiceImplBase;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferActionRequest;
import dev.torg.api.v1.OfferServiceGrpc.OfferServiceImplBase;
import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.PublishOfferRequest;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.TopicChannels;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.offers.OfferSettings;
import dev.torg.offers.OfferTopics;
import dev.torg.offers.category.CategoryFile;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.platform.Caller;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.identity.Lifetimes;
import dev.torg.platform.identity.SigningKeys;
import dev.torg.platform.identity.TokenService;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.module.ModuleContext;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.apply.ActiveService;
import dev.torg.promotions.apply.PromotedOffersConsumer;
import dev.torg.promotions.apply.PromotionReader;
import dev.torg.promotions.apply.PromotionWriter;
import dev.torg.promotions.ledger.LedgerAudit;
import dev.torg.promotions.ledger.LedgerEntry;
import dev.torg.promotions.ledger.LedgerReader;
import dev.torg.promotions.ledger.LedgerStore;
import dev.torg.promotions.ledger.Posting;
import dev.torg.promotions.ledger.StoredEntry;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestDirectory;
import dev.torg.testkit.UnaryResponse;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// Intents with the modules that they use, on a real database.
final class IntentsFixture implements AutoCloseable {
  private static final AtomicLong NUMBERS = new AtomicLong();

  final TestClock clock = new TestClock();
  final Database database;
  final Outbox outbox = new Outbox();
  final OffersWiring offers;
  final NotificationsWiring notifications;
  final PromotionWriter writer;
  final PromotionReader reader;
  final FixedPrices prices = new FixedPrices();
  final IntentRetryStore retries = new IntentRetryStore();
  final LedgerStore ledger = new LedgerStore(retries);
  final LedgerReader ledgerReader;
  final LedgerAudit audit;
  final IntentsWiring intents;
  final IntentOffersConsumer consumer;
  private final HeldLease leases;

  IntentsFixture(TestDatabase tables) {
    database = Database.connect(tables.url(), 16);
    ModuleContext context = new ModuleContext(database, outbox, clock, new SimpleMeterRegistry());
    TokenService tokens =
        new TokenService(
            SigningKeys.open(TestDirectory.create("intents").resolve("keys.json"), clock),
            Lifetimes.defaults(),
            Optional.empty(),
            clock);
    offers =
        new OffersWiring(
            context, tokens::verify, CategoryFile.defaultTree(), OfferSettings.defaults());
    notifications = new NotificationsWiring(context, NotificationTopics.defaults());
    writer = new PromotionWriter(outbox, clock);
    reader = new PromotionReader(database, clock, context.metrics());
    ledgerReader = new LedgerReader(database);
    audit = new LedgerAudit(database);
    intents =
        new IntentsWiring(
            context,
            new IntentsWiring.Dependencies(
                offers.offers(),
                writer,
                reader,
                prices,
                ledger,
                retries,
                notifications.bell(),
                new UnpaidNotices(notifications.settings(), TopicChannels.defaults(), "")),
            FixedPrices.SERVICES);
    consumer = new IntentOffersConsumer(intents.service());
    leases = new HeldLease(database, clock);
  }

  static TestDatabase tables() {
    return TestDatabase.fresh(
        "intents",
        url ->
            Migrations.of(
                    "platform",
                    OffersWiring.MIGRATIONS,
                    NotificationsWiring.MIGRATIONS,
                    "promotions")
                .migrate(url));
  }

  static String newSeller() {
    return "user:intent" + NUMBERS.incrementAndGet();
  }

  static IntentKey newKey(String seller) {
    return new IntentKey(seller, "ext-" + NUMBERS.incrementAndGet());
  }

  // What happens.

  @CanIgnoreReturnValue
  Intent put(IntentKey key, String... services) {
    return intents.service().put(key, List.of(services));
  }

  @CanIgnoreReturnValue
  Offer publish(IntentKey key) {
    Offer car =
        Offer.newBuilder()
            .setCategory("cars")
            .setTitle("VW Golf")
            .setDescription("Runs well.")
            .setPrice(Money.newBuilder().setAmount(100_000).setCurrency("EUR"))
            .setRegion("de/hessen/65474")
            .setExternalId(key.externalId())
            .putAttributes("brand", Value.newBuilder().setStringValue("VW").build())
            .build();
    return as(
        key.seller(),
        offerService(),
        PublishOfferRequest.newBuilder().setOffer(car).build(),
        OfferServiceImplBase::publishOffer);
  }

  void withdraw(Offer offer) {
    as(
        offer.getSellerId(),
        offerService(),
        OfferActionRequest.newBuilder().setId(offer.getId()).build(),
        OfferServiceImplBase::withdrawOffer);
  }

  void reactivate(Offer offer) {
    as(
        offer.getSellerId(),
        offerService(),
        OfferActionRequest.newBuilder().setId(offer.getId()).build(),
        OfferServiceImplBase::reactivateOffer);
  }

  void ban(Offer offer) {
    as(
        "user:moderator",
        find(offers.services(), ModerationServiceImplBase.class),
        GiveOpinionRequest.newBuilder()
            .setId(offer.getId())
            .setOpinion(Opinion.newBuilder().setVerdict(Opinion.Verdict.BAN).addReasons("test"))
            .build(),
        ModerationServiceImplBase::giveOpinion);
  }

  /// Consumes all events of offers of this seller again, by both consumers.
  void consumeOffers() {
    List<Event> events = outbox(OfferTopics.OFFERS);
    try {
      consumer.handle(events);
      new PromotedOffersConsumer(database, writer, clock).handle(events);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  void topUp(String seller, long cents) {
    String reference = "payment-" + NUMBERS.incrementAndGet();
    database.transact(
        tx ->
            ledger.post(
                tx,
                List.of(
                    Posting.of(
                        LedgerEntry.topUp(
                            seller,
                            new dev.torg.platform.Money(cents, "EUR"),
                            reference,
                            "top-up"))),
                clock.instant()));
  }

  /// Runs the job until nothing is due.
  void buy(String seller) {
    while (intents.job().run(leases.of(Home.of(seller)), clock.instant())) {}
  }

  // What is to be seen.

  IntentState state(IntentKey key) {
    return intents.service().get(key).state();
  }

  List<String> active(Offer offer) {
    PromotedEntity entity = PromotedEntity.of(OfferId.parse(offer.getId()));
    return reader.active(List.of(entity)).join().getOrDefault(entity, List.of()).stream()
        .map(ActiveService::service)
        .toList();
  }

  /// The amounts of the ledger's entries, oldest first.
  List<Long> entries(String seller) {
    return ledgerReader.page(seller, 500, "").entries().reversed().stream()
        .map(StoredEntry::entry)
        .map(LedgerEntry::amount)
        .toList();
  }

  long balance(String seller) {
    return ledgerReader.balances(seller).stream().mapToLong(dev.torg.platform.Money::amount).sum();
  }

  List<Notification> bell(String recipient) {
    return as(
            recipient,
            find(notifications.services(), NotificationServiceImplBase.class),
            ListNotificationsRequest.newBuilder().setPageSize(200).build(),
            NotificationServiceImplBase::listNotifications)
        .getNotificationsList();
  }

  List<Event> outbox(String topic) {
    return database.read(
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
                            false)));
  }

  private OfferServiceImplBase offerService() {
    return find(offers.services(), OfferServiceImplBase.class);
  }

  private static <S> S find(List<BindableService> services, Class<S> type) {
    return services.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }

  private interface RpcMethod<S, Q, A> {
    void call(S service, Q request, StreamObserver<A> response);
  }

  @CanIgnoreReturnValue
  private static <S, Q, A> A as(String subject, S service, Q request, RpcMethod<S, Q, A> method) {
    Set<Caller.Role> roles =
        subject.startsWith("user:moderator")
            ? Set.of(Caller.Role.USER, Caller.Role.MODERATOR)
            : Set.of(Caller.Role.USER);
    UnaryResponse<A> response = new UnaryResponse<>();
    Context.current()
        .withValue(CurrentCaller.KEY, new Caller(subject, roles))
        .run(() -> method.call(service, request, response));
    return response.await();
  }

  @Override
  public void close() {
    leases.close();
    reader.close();
    offers.close();
    notifications.close();
    database.close();
  }
}
