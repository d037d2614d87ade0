package dev.torg.notifications.sending;

import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.SendNotificationRequest;
import dev.torg.notifications.Bell;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.bell.BellChanges;
import dev.torg.notifications.bell.BellFilter;
import dev.torg.notifications.bell.BellService;
import dev.torg.notifications.bell.StoredBell;
import dev.torg.notifications.merge.PagedBellMerge;
import dev.torg.notifications.settings.TestSettings;
import dev.torg.notifications.template.StoredTemplates;
import dev.torg.notifications.template.TemplateService;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.kafka.Event;
import dev.torg.platform.outbox.Outbox;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// Sending on a real database. The topic is replaced by the outbox, whose messages a test delivers.
final class SendingFixture implements AutoCloseable {
  static final String SENDER = "service:shop";

  private static final AtomicLong NUMBERS = new AtomicLong();

  final TestClock clock = new TestClock();
  final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  final Database database;
  final TemplateService templates;
  final SendingService service;
  final SendingConsumer consumer;
  final SendScheduledJob scheduled;
  final BellService bells;
  final PagedBellMerge merge;
  private final Set<List<Object>> delivered = new HashSet<>();

  SendingFixture(String url) {
    database = Database.connect(url, 8);
    Outbox outbox = new Outbox();
    Bell bell = new StoredBell(clock, new BellChanges(List.of()), metrics);
    StoredTemplates stored = new StoredTemplates(database);
    templates = new TemplateService(database, stored, clock);
    service =
        new SendingService(database, outbox, NotificationTopics.defaults(), stored, clock, metrics);
    ReceivedNotificationWriter writer =
        new ReceivedNotificationWriter(
            bell,
            TestSettings.stored(),
            outbox,
            new MessageSequence(clock),
            new SendingMetrics(metrics));
    consumer = new SendingConsumer(database, stored, writer, clock);
    scheduled = new SendScheduledJob(database, stored, writer);
    bells = new BellService(database, NotificationTopics.defaults(), clock, bell::changed);
    merge = new PagedBellMerge(database, bell, clock);
  }

  static TestDatabase tables() {
    return TestDatabase.fresh(
        "sending", url -> Migrations.of("platform", NotificationsWiring.MIGRATIONS).migrate(url));
  }

  static String user() {
    return "user:" + NUMBERS.incrementAndGet();
  }

  static String anonymous() {
    return "anon:" + NUMBERS.incrementAndGet();
  }

  /// An id that no other notification of the test has.
  static String id() {
    return "n" + NUMBERS.incrementAndGet();
  }

  static SendNotificationRequest request(String id, String... recipients) {
    return SendNotificationRequest.newBuilder()
        .setId(id)
        .addAllRecipients(List.of(recipients))
        .setTopic(NotificationTopics.NEWS)
        .setContent(NotificationContent.newBuilder().setTitle("Hello"))
        .build();
  }

  int send(SendNotificationRequest request) {
    return service.send(SENDER, request).join();
  }

  /// The messages that were not delivered yet.
  List<Event> undelivered() {
    List<Event> all =
        database.read(
            tx ->
                tx.sql("SELECT key, seq, payload FROM outbox WHERE topic = ? ORDER BY seq")
                    .set(SendingTopics.NOTIFICATIONS)
                    .list(row -> event(row.textAt(1), row.longAt(2), row.bytesAt(3))));
    return all.stream().filter(event -> !delivered.contains(identity(event))).toList();
  }

  static Event event(String recipient, long seq, byte[] payload) {
    return new Event(
        SendingTopics.NOTIFICATIONS, 0, seq, recipient, seq, payload, TestClock.START, false);
  }

  private static List<Object> identity(Event event) {
    return List.of(event.seq(), event.key());
  }

  /// Delivers all messages, and those that they cause.
  List<Event> deliver() throws Exception {
    List<Event> all = new ArrayList<>();
    for (List<Event> next = undelivered(); !next.isEmpty(); next = undelivered()) {
      consumer.handle(next);
      next.forEach(event -> delivered.add(identity(event)));
      all.addAll(next);
    }
    return all;
  }

  List<String> titles(String recipient) {
    return list(recipient).stream().map(Notification::getTitle).toList();
  }

  List<Notification> list(String recipient) {
    return bells.list(recipient, BellFilter.ALL, 200, "").getNotificationsList();
  }

  double count(String outcome) {
    return metrics
        .counter("torg.notifications.sending", "outcome", outcome, "topic", NotificationTopics.NEWS)
        .count();
  }

  void moveToLogin(String anonymous, String login) {
    boolean more = true;
    while (more) {
      more = merge.page(anonymous, login, 100, _ -> Set.of());
    }
  }

  @Override
  public void close() {
    service.close();
    database.close();
  }
}
