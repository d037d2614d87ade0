package dev.torg.notifications.sending;

import dev.torg.api.v1.SentNotification;
import dev.torg.notifications.sending.ScheduledNotificationStore.Due;
import dev.torg.notifications.template.StoredTemplates;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import dev.torg.platform.job.EachHome;
import dev.torg.platform.lease.Lease;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// Writes notifications to bells when their time has come, home by home.
public final class SendScheduledJob {
  private static final int PAGE_SIZE = 500;

  private final Database database;
  private final StoredTemplates templates;
  private final ReceivedNotificationWriter writer;
  private final ScheduledNotificationStore store = new ScheduledNotificationStore();

  public SendScheduledJob(
      Database database, StoredTemplates templates, ReceivedNotificationWriter writer) {
    this.database = database;
    this.templates = templates;
    this.writer = writer;
  }

  /// Homes with due notifications.
  public List<Home> due(List<Home> homes, Instant now) {
    return database.read(tx -> store.homesDue(tx, homes, now));
  }

  /// Returns whether more may be due.
  public boolean run(Lease lease, Instant now) {
    return EachHome.run(due(lease.homes(), now), home -> run(lease, home, now));
  }

  private boolean run(Lease lease, Home home, Instant now) {
    List<Due> due = database.read(tx -> store.due(tx, home, now, PAGE_SIZE));
    List<ReceivedNotification> notifications = due.stream().map(this::parse).toList();
    database.transact(
        tx -> {
          lease.check(tx);
          write(tx, due, notifications, now);
        });
    return due.size() == PAGE_SIZE;
  }

  private void write(Tx tx, List<Due> due, List<ReceivedNotification> notifications, Instant now)
      throws SQLException {
    Set<List<String>> removed = store.remove(tx, due);
    List<ReceivedNotification> remaining =
        notifications.stream()
            .filter(one -> removed.contains(List.of(one.recipient(), one.key())))
            .toList();
    writer.write(tx, remaining, now);
  }

  private ReceivedNotification parse(Due due) {
    return ReceivedNotification.of(
        due.owner(),
        StoredProto.parse(SentNotification.parser(), due.body(), "scheduled notification"),
        templates);
  }
}
