package dev.torg.notifications.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.bell.BellChanges;
import dev.torg.notifications.bell.BellFilter;
import dev.torg.notifications.bell.BellService;
import dev.torg.notifications.bell.StoredBell;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.DeliveryTargets;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.delivery.CampaignProgress;
import dev.torg.notifications.operation.DeliveryAttempt;
import dev.torg.notifications.operation.DeliveryHistory;
import dev.torg.notifications.operation.OperationListeners;
import dev.torg.notifications.operation.RetryPolicy;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.notifications.settings.TestSettings;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.platform.Backoff;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.db.Tx;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.module.ModuleContext;
import dev.torg.platform.outbox.Outbox;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// A bell and deliveries on a real database, with senders and targets in memory.
final class DeliveryFixture implements AutoCloseable {
  static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static final AtomicLong RECIPIENTS = new AtomicLong();

  final TestClock clock = new TestClock();
  final Database database;
  final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  final OperationListeners listeners = new OperationListeners();
  final StoredBell bell;
  final BellService service;
  final SettingsService settings;
  final DeliveryHistory history;
  final ModuleContext context;
  final Targets targets = new Targets();
  final Progress progress = new Progress();
  final List<OutgoingMessage> sent = new CopyOnWriteArrayList<>();
  final Set<DeliveryProvider> configured = EnumSet.allOf(DeliveryProvider.class);
  volatile Function<OutgoingMessage, DeliveryOutcome> provider = _ -> DeliveryOutcome.delivered();

  DeliveryFixture(TestDatabase tables) {
    database = Database.connect(tables.url(), 24);
    context = new ModuleContext(database, new Outbox(), clock, metrics);
    bell = new StoredBell(clock, new BellChanges(List.of()), listeners, metrics);
    service = new BellService(database, NotificationTopics.defaults(), clock, bell::changed);
    settings =
        new SettingsService(
            database, NotificationTopics.defaults(), TestSettings.stored(), List.of());
    history = new DeliveryHistory(database);
  }

  static TestDatabase tables() {
    return TestDatabase.fresh(
        "notifications",
        url -> Migrations.of("platform", NotificationsWiring.MIGRATIONS).migrate(url));
  }

  static String recipient() {
    return "user:" + RECIPIENTS.incrementAndGet();
  }

  static DeliverySettings fast() {
    DeliverySettings defaults = DeliverySettings.defaults();
    return new DeliverySettings(
        defaults.slots(),
        defaults.ratePerSecond(),
        Duration.ofSeconds(10),
        Duration.ofSeconds(1),
        Set.of("offer"),
        new RetryPolicy(
            new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(1)),
            Duration.ofHours(2),
            Duration.ofHours(1)));
  }

  /// A process that delivers. Several of them compete like processes.
  Process start() {
    return start(fast());
  }

  Process start(DeliverySettings deliverySettings) {
    return new Process(
        new LeaseCoordinator(database),
        new Delivery(context, dependencies(), listeners, deliverySettings));
  }

  Delivery.Dependencies dependencies() {
    Map<DeliveryProvider, ChannelSender> senders = new EnumMap<>(DeliveryProvider.class);
    for (DeliveryProvider one : DeliveryProvider.values()) {
      senders.put(one, new Sender(one));
    }
    return new Delivery.Dependencies(
        NotificationTopics.defaults(),
        TestSettings.stored(),
        targets,
        (recipient, topic, channel) -> "https://u/" + recipient + "/" + topic + "/" + channel,
        progress,
        senders);
  }

  record Process(LeaseCoordinator leases, Delivery delivery) implements AutoCloseable {
    Process {
      delivery.start(leases);
    }

    @Override
    public void close() {
      leases.close();
      delivery.close();
    }
  }

  private final class Sender implements ChannelSender {
    private final DeliveryProvider own;

    Sender(DeliveryProvider own) {
      this.own = own;
    }

    @Override
    public Channel channel() {
      return own.channel();
    }

    @Override
    public boolean isConfigured() {
      return configured.contains(own);
    }

    @Override
    public DeliveryOutcome send(OutgoingMessage message) {
      DeliveryOutcome outcome = provider.apply(message);
      if (outcome instanceof DeliveryOutcome.Delivered) {
        sent.add(message);
      }
      return outcome;
    }
  }

  /// Targets by recipient.
  static final class Targets implements DeliveryTargets {
    private final Map<String, List<DeliveryTarget>> all = new ConcurrentHashMap<>();

    void add(String recipient, DeliveryTarget target) {
      all.computeIfAbsent(recipient, _ -> new CopyOnWriteArrayList<>()).add(target);
    }

    @Override
    public List<DeliveryTarget> find(String recipient, Channel channel) {
      return all.getOrDefault(recipient, List.of()).stream()
          .filter(target -> target.channel() == channel)
          .toList();
    }

    @Override
    public void remove(String recipient, DeliveryTarget gone) {
      all.getOrDefault(recipient, new ArrayList<>()).remove(gone);
    }
  }

  /// Counts by outcome and reason.
  static final class Progress implements CampaignProgress {
    final List<Count> counts = new CopyOnWriteArrayList<>();

    @Override
    public void add(Tx tx, List<Count> added) {
      tx.afterCommit(() -> counts.addAll(added));
    }

    int count(String campaign, Outcome outcome) {
      return counts.stream()
          .filter(count -> count.campaign().equals(campaign) && count.outcome() == outcome)
          .mapToInt(Count::messages)
          .sum();
    }
  }

  String withEmail() {
    String recipient = recipient();
    targets.add(recipient, new DeliveryTarget.Email(recipient + "@example.org"));
    return recipient;
  }

  String withDevice() {
    String recipient = recipient();
    targets.add(recipient, device(recipient, "1.0"));
    return recipient;
  }

  static DeliveryTarget device(String id, String version) {
    return new DeliveryTarget.Fcm(id, version, "token-" + id);
  }

  static DeliveryRequest campaign(Channel channel, String campaign) {
    return new DeliveryRequest(
        Set.of(channel),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.of(campaign),
        Optional.of(campaign));
  }

  static NewNotification entry(
      String recipient, String title, String topic, DeliveryRequest request) {
    return new NewNotification(
        recipient,
        title,
        topic,
        TestClock.START,
        null,
        Notification.newBuilder().setTitle(title).setText("text of " + title).build(),
        request);
  }

  void write(String recipient, String title, String topic, Channel... channels) {
    write(entry(recipient, title, topic, DeliveryRequest.on(Set.of(channels))));
  }

  void write(NewNotification... entries) {
    database.inTransaction(tx -> bell.write(tx, List.of(entries)));
  }

  void settings(String recipient, NotificationSettings.Builder own) {
    settings.put(recipient, own.build());
  }

  List<OutgoingMessage> sentTo(String recipient) {
    return sent.stream().filter(message -> message.recipient().equals(recipient)).toList();
  }

  List<String> titlesTo(String recipient) {
    return sentTo(recipient).stream().map(message -> message.content().title()).toList();
  }

  /// The recorded outcomes of a recipient's entry, newest first.
  List<String> outcomes(String recipient, String title) {
    String id =
        service.list(recipient, BellFilter.ALL, 200, "").getNotificationsList().stream()
            .filter(entry -> entry.getTitle().equals(title))
            .findFirst()
            .orElseThrow()
            .getId();
    return outcomesOf(recipient, id);
  }

  List<String> outcomesOf(String recipient, String id) {
    return history.find(id, recipient).stream().map(DeliveryFixture::described).toList();
  }

  private static String described(DeliveryAttempt attempt) {
    return attempt.reason().isEmpty()
        ? attempt.outcome().name()
        : attempt.outcome() + " " + attempt.reason();
  }

  void awaitOutcome(String recipient, String title, String... outcomes) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(outcomes(recipient, title)).containsExactly(outcomes));
  }

  int operations(String recipient) {
    return database.read(
        tx ->
            tx.sql("SELECT count(*) FROM delivery_operation WHERE home = ? AND owner = ?")
                .set(Home.of(recipient))
                .set(recipient)
                .first(row -> row.intAt(1))
                .orElseThrow());
  }

  @Override
  public void close() {
    database.close();
  }
}
