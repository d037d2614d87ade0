package dev.torg.notifications;

import dev.torg.api.v1.Notification;
import dev.torg.api.v1.UnreadCount;
import dev.torg.notifications.bell.BellChanges;
import dev.torg.notifications.bell.BellFilter;
import dev.torg.notifications.bell.BellService;
import dev.torg.notifications.bell.StoredBell;
import dev.torg.notifications.settings.DeviceTimezones;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.notifications.settings.StoredRecipientSettings;
import dev.torg.notifications.stream.DatabaseBellStreams;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A bell on a real database.
final class BellFixture implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");

  private static final AtomicLong RECIPIENTS = new AtomicLong();

  final Database database;
  final DatabaseBellStreams streams;
  final Bell bell;
  final BellService service;

  BellFixture(TestDatabase tables) {
    this(tables, InstantSource.fixed(NOW));
  }

  BellFixture(TestDatabase tables, InstantSource clock) {
    this.database = Database.connect(tables.url(), 8);
    this.streams = new DatabaseBellStreams(database, clock, new SimpleMeterRegistry());
    this.bell =
        new StoredBell(
            clock, new BellChanges(List.of(streams::changed)), new SimpleMeterRegistry());
    this.service = new BellService(database, NotificationTopics.defaults(), clock, bell::changed);
  }

  /// Settings of persons without devices, with UTC as the operator's timezone.
  SettingsService settings() {
    return settings(DeviceTimezones.NONE, ZoneId.of("UTC"));
  }

  SettingsService settings(DeviceTimezones devices, ZoneId defaultTimezone) {
    return new SettingsService(
        database,
        NotificationTopics.defaults(),
        new StoredRecipientSettings(devices, defaultTimezone),
        List.of());
  }

  static TestDatabase tables() {
    return TestDatabase.fresh(
        "notifications",
        url -> Migrations.of("platform", NotificationsWiring.MIGRATIONS).migrate(url));
  }

  /// A new user.
  static String recipient() {
    return "user:" + RECIPIENTS.incrementAndGet();
  }

  /// New users of different homes, of whom one transaction may write.
  List<String> recipientsOfOneShard(int count) {
    Map<Home, String> recipients = new LinkedHashMap<>();
    int shard = database.shards().shardOf(Home.of(recipient()));
    while (recipients.size() < count) {
      String recipient = recipient();
      if (database.shards().shardOf(Home.of(recipient)) == shard) {
        recipients.putIfAbsent(Home.of(recipient), recipient);
      }
    }
    return List.copyOf(recipients.values());
  }

  static NewNotification about(String recipient, String key, String topic) {
    return about(recipient, key, topic, null);
  }

  static NewNotification about(
      String recipient, String key, String topic, @Nullable OfferId offer) {
    return new NewNotification(recipient, key, topic, NOW, offer, content(key));
  }

  static Notification content(String title) {
    return Notification.newBuilder().setTitle(title).build();
  }

  WrittenNotifications write(NewNotification... notifications) {
    return database.inTransaction(tx -> bell.write(tx, List.of(notifications)));
  }

  List<Notification> list(String recipient) {
    return service.list(recipient, BellFilter.ALL, 200, "").getNotificationsList();
  }

  List<String> titles(String recipient) {
    return list(recipient).stream().map(Notification::getTitle).toList();
  }

  UnreadCount unread(String recipient) {
    return service.unreadCount(recipient);
  }

  @Override
  public void close() {
    database.close();
  }
}
