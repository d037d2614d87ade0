package dev.torg.promotions.payment;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.OfferEvent;
import dev.torg.notifications.Bell;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.TopicChannels;
import dev.torg.notifications.bell.BellChanges;
import dev.torg.notifications.bell.StoredBell;
import dev.torg.offers.category.CategoryFile;
import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.outbox.Outbox;
import dev.torg.promotions.CreatedPayment;
import dev.torg.promotions.NewPayment;
import dev.torg.promotions.PaymentHandler;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.ServiceTerm;
import dev.torg.promotions.StoredPayment;
import dev.torg.promotions.apply.ActiveService;
import dev.torg.promotions.apply.EndNotices;
import dev.torg.promotions.apply.EntityState;
import dev.torg.promotions.apply.ExpirePromotionsJob;
import dev.torg.promotions.apply.PromotedOffersConsumer;
import dev.torg.promotions.apply.PromotionPaymentHandler;
import dev.torg.promotions.apply.PromotionReader;
import dev.torg.promotions.apply.PromotionWriter;
import dev.torg.promotions.apply.PurgePromotionsJob;
import dev.torg.promotions.ledger.LedgerStore;
import dev.torg.promotions.ledger.TopUpHandler;
import dev.torg.promotions.price.PriceMatrixFile;
import dev.torg.promotions.provider.PaymentProvider;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// Payments and promotions on a real database, with offers and a provider in memory.
public final class PaymentsFixture implements AutoCloseable {
  static final Duration DAY = Duration.ofDays(1);
  private static final AtomicLong SELLERS = new AtomicLong(System.nanoTime());

  /// Common to all processes.
  private static final Map<OfferId, Offer> OFFERS = new ConcurrentHashMap<>();

  final TestClock clock;
  final MeterRegistry metrics = new SimpleMeterRegistry();
  final Database database;
  final ScriptedProvider provider;
  final PromotionWriter writer;
  final PromotionReader reader;
  final PromotionPaymentHandler handler;
  final PaymentService payments;
  final PaymentProcessor processor;
  final WebhookService webhooks;
  final ProcessWebhooksJob processWebhooks;
  final CheckPaymentsJob checkPayments;
  final ExpirePromotionsJob expire;
  final PurgePromotionsJob purge;
  private final PromotedOffersConsumer consumer;
  private final Map<String, NotificationSettings> settings = new ConcurrentHashMap<>();
  private final Optional<LeaseCoordinator> coordinator;
  private final List<Lease> leases = new CopyOnWriteArrayList<>();

  PaymentsFixture(String url) {
    this(url, new TestClock(), new ScriptedProvider(), Optional.empty());
  }

  /// Another process with the same clock and provider, and without leases.
  ///
  /// @param calls how it calls the provider
  PaymentsFixture(String url, PaymentsFixture other, PaymentProvider calls) {
    this(url, other.clock, other.provider, Optional.of(calls));
  }

  private PaymentsFixture(
      String url,
      TestClock clock,
      ScriptedProvider provider,
      Optional<PaymentProvider> otherCalls) {
    this.clock = clock;
    this.provider = provider;
    PaymentProvider calls = otherCalls.orElse(provider);
    database = Database.connect(url, 16);
    Outbox outbox = new Outbox();
    writer = new PromotionWriter(outbox, clock);
    reader = new PromotionReader(database, clock, metrics);
    handler = new PromotionPaymentHandler(this::find, writer);
    PaymentHandlers handlers =
        new PaymentHandlers(
            List.of(
                handler, new KeepingHandler(), new TopUpHandler(new LedgerStore((_, _) -> {}))));
    Bell bell = new StoredBell(clock, new BellChanges(List.of()), metrics);
    RecipientSettings recipients = (_, _) -> settings;
    PaymentNotices notices = new PaymentNotices(bell, recipients, TopicChannels.defaults(), "");
    PaymentMetrics paymentMetrics = new PaymentMetrics(metrics);
    processor = new PaymentProcessor(database, handlers, notices, paymentMetrics, clock);
    payments = new PaymentService(database, calls, handlers, notices, clock, "");
    webhooks = new WebhookService(database, calls, processor, paymentMetrics, clock, metrics);
    processWebhooks = new ProcessWebhooksJob(database, calls, processor, paymentMetrics);
    checkPayments =
        new CheckPaymentsJob(database, calls, processor, notices, paymentMetrics, clock);
    expire =
        new ExpirePromotionsJob(
            database,
            writer,
            this::find,
            new EndNotices(
                bell,
                recipients,
                TopicChannels.defaults(),
                PriceMatrixFile.defaults(CategoryFile.defaultTree()).services(),
                ""));
    purge = new PurgePromotionsJob(database);
    consumer = new PromotedOffersConsumer(database, writer, clock);
    coordinator = otherCalls.isEmpty() ? Optional.of(coordinate()) : Optional.empty();
  }

  /// Acquires leases, for the jobs.
  private LeaseCoordinator coordinate() {
    LeaseCoordinator started = new LeaseCoordinator(database);
    started.work(
        "payments-test-" + SELLERS.incrementAndGet(),
        lease -> {
          leases.add(lease);
          return () -> Duration.ofHours(1);
        });
    return started;
  }

  static TestDatabase tables() {
    return TestDatabase.fresh(
        "promotions-core",
        url -> Migrations.of("platform", "notifications", "promotions").migrate(url));
  }

  private Map<OfferId, Offer> find(Collection<OfferId> ids) {
    Map<OfferId, Offer> found = new HashMap<>();
    ids.forEach(
        id -> {
          Offer offer = OFFERS.get(id);
          if (offer != null) {
            found.put(id, offer);
          }
        });
    return found;
  }

  /// A payment of its purpose stays PAID until it is used.
  static final class KeepingHandler implements PaymentHandler {
    static final String PURPOSE = "KEPT";

    @Override
    public String purpose() {
      return PURPOSE;
    }

    @Override
    public Delivery prepare(List<StoredPayment> prepared) {
      return (_, _, _) -> Map.of();
    }

    @Override
    public void takeBack(
        dev.torg.platform.db.Tx tx, StoredPayment payment, java.time.Instant now) {}
  }

  void use(String recipient, NotificationSettings ofRecipient) {
    settings.put(recipient, ofRecipient);
  }

  static String seller() {
    return "user:" + SELLERS.incrementAndGet();
  }

  OfferId offer(String seller) {
    OfferId id = OfferId.random(Home.of(seller));
    OFFERS.put(
        id,
        Offer.newBuilder()
            .setId(id.toString())
            .setSellerId(seller)
            .setTitle("Offer")
            .setStatus(Status.ACTIVE)
            .setVersion(1)
            .build());
    return id;
  }

  /// Changes the offer; the event is not consumed yet. Returns it.
  OfferEvent change(OfferId id, Status status) {
    Offer changed =
        OFFERS.computeIfPresent(
            id,
            (_, offer) ->
                offer.toBuilder().setStatus(status).setVersion(offer.getVersion() + 1).build());
    return OfferEvent.newBuilder().setOfferId(id.toString()).setAfter(changed).build();
  }

  void consume(OfferEvent event) {
    try {
      consumer.handle(
          List.of(
              new Event(
                  "torg.offers",
                  0,
                  0,
                  event.getOfferId(),
                  0,
                  event.toByteArray(),
                  clock.instant(),
                  false)));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static PaymentLine line(String service, long amount) {
    return new PaymentLine(
        service, new Money(amount, "EUR"), List.of(new ServiceTerm(service, DAY, false)));
  }

  static NewPayment promotion(String seller, OfferId offer, String key, PaymentLine... lines) {
    return new NewPayment(
        seller,
        PromotionPaymentHandler.PURPOSE,
        offer.toString(),
        key,
        offer + "\nquote",
        "Promotion",
        List.of(lines));
  }

  CreatedPayment purchase(String seller, OfferId offer, String key, PaymentLine... lines) {
    Offer current = OFFERS.get(offer);
    database.transact(tx -> writer.watch(tx, PromotedEntity.of(offer), EntityState.of(current)));
    return payments.create(promotion(seller, offer, key, lines));
  }

  /// Accepts a webhook and waits until it is stored.
  void webhook(ByteString body) {
    webhooks.accept(ScriptedProvider.SIGNED, body).join();
  }

  StoredPayment payment(PaymentId id) {
    return payments.find(id).orElseThrow();
  }

  void awaitStatus(PaymentId id, PaymentStatus status) {
    await().atMost(Duration.ofSeconds(60)).until(() -> payment(id).status() == status);
  }

  List<String> active(OfferId offer) {
    PromotedEntity entity = PromotedEntity.of(offer);
    return reader.active(List.of(entity)).join().getOrDefault(entity, List.of()).stream()
        .map(ActiveService::service)
        .toList();
  }

  Lease lease(Home home) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> leases.stream().anyMatch(lease -> lease.group() == home.group()));
    return leases.stream().filter(lease -> lease.group() == home.group()).findFirst().orElseThrow();
  }

  List<String> bell(String owner) {
    return database.read(
        tx ->
            tx.sql("SELECT key FROM notification WHERE home = ? AND owner = ? ORDER BY id")
                .set(Home.of(owner))
                .set(owner)
                .list(row -> row.textAt(1)));
  }

  /// The entries about services that have ended, with their sizes, in their order.
  List<EndEntry> endEntries(String owner) {
    return database.read(
        tx ->
            tx.sql(
                    """
                    SELECT key, size, topic, body FROM notification
                     WHERE home = ? AND owner = ? AND key LIKE 'promotion%' ORDER BY id
                    """)
                .set(Home.of(owner))
                .set(owner)
                .list(
                    row ->
                        new EndEntry(
                            row.textAt(1),
                            row.intAt(2),
                            row.textAt(3),
                            StoredProto.parse(Notification.parser(), row.bytesAt(4), "entry"))));
  }

  record EndEntry(String key, int size, String topic, Notification content) {}

  /// The events of an entity that wait for the relay, in their order.
  List<dev.torg.api.v1.PromotionEvent> events(OfferId offer) {
    return database.read(
        tx ->
            tx.sql(
                    "SELECT payload FROM outbox WHERE home = ? AND topic = 'torg.promotions' AND key = ? ORDER BY seq")
                .set(offer.home())
                .set("offer:" + offer)
                .list(
                    row ->
                        dev.torg.platform.db.StoredProto.parse(
                            dev.torg.api.v1.PromotionEvent.parser(), row.bytesAt(1), "event")));
  }

  long count(String sql, Home home, String text) {
    return database.read(
        tx -> tx.sql(sql).set(home).set(text).first(row -> row.longAt(1)).orElse(0L));
  }

  List<String> audit(PaymentId id) {
    List<String> transitions = new ArrayList<>();
    database.read(
        tx -> {
          tx.sql(
                  "SELECT n, from_status, to_status FROM payment_audit WHERE home = ? AND payment_id = ? ORDER BY n")
              .set(id.home())
              .set(id.text())
              .each(
                  row ->
                      transitions.add(
                          row.intAt(1)
                              + " "
                              + PaymentStatus.ofNumber(row.intAt(2))
                              + " "
                              + PaymentStatus.ofNumber(row.intAt(3))));
          return true;
        });
    return transitions;
  }

  double counter(String name, String outcome) {
    return metrics.get(name).tag("outcome", outcome).counter().count();
  }

  @Override
  public void close() {
    coordinator.ifPresent(LeaseCoordinator::close);
    webhooks.close();
    reader.close();
    database.close();
  }
}
