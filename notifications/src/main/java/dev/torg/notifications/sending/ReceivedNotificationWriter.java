package dev.torg.notifications.sending;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.SentNotification;
import dev.torg.notifications.Bell;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.WrittenNotifications;
import dev.torg.notifications.sending.SendingMetrics.Outcome;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes messages to bells in the caller's transaction, or stores them for later. A message that has expired is
/// dropped. A recipient whose identity was merged into a login gets nothing; the login gets the message, by way of the
/// outbox, because it may be in another shard.
public final class ReceivedNotificationWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ReceivedNotificationWriter.class);

  /// An anonymous identity is merged into a login once, and a login never.
  private static final int MAX_MERGES = 3;

  private final Bell bell;
  private final RecipientSettings settings;
  private final Outbox outbox;
  private final MessageSequence sequence;
  private final SendingMetrics metrics;
  private final ScheduledNotificationStore scheduled = new ScheduledNotificationStore();

  public ReceivedNotificationWriter(
      Bell bell,
      RecipientSettings settings,
      Outbox outbox,
      MessageSequence sequence,
      SendingMetrics metrics) {
    this.bell = bell;
    this.settings = settings;
    this.outbox = outbox;
    this.sequence = sequence;
    this.metrics = metrics;
  }

  /// All recipients are of one shard.
  void write(Tx tx, List<ReceivedNotification> received, Instant now) throws SQLException {
    List<ReceivedNotification> due = new ArrayList<>();
    List<ReceivedNotification> later = new ArrayList<>();
    for (ReceivedNotification one : received) {
      if (one.isExpired(now)) {
        count(tx, one, Outcome.EXPIRED);
      } else {
        (one.isForLater(now) ? later : due).add(one);
      }
    }
    schedule(tx, later);
    writeDue(tx, due, now);
  }

  private void schedule(Tx tx, List<ReceivedNotification> later) throws SQLException {
    scheduled.add(tx, later);
    later.forEach(one -> count(tx, one, Outcome.SCHEDULED));
  }

  private void writeDue(Tx tx, List<ReceivedNotification> due, Instant now) throws SQLException {
    Map<String, NotificationSettings> settingsOf = settings.of(tx, templateRecipients(due));
    List<NewNotification> entries =
        due.stream().map(one -> one.entry(language(settingsOf, one.recipient()), now)).toList();
    WrittenNotifications written = bell.write(tx, entries);
    countWritten(tx, due, written);
    redirect(tx, due, written.mergedInto());
  }

  /// Only templates depend on the language.
  private static Set<String> templateRecipients(List<ReceivedNotification> due) {
    Set<String> recipients = new HashSet<>();
    due.stream()
        .filter(one -> one.template().isPresent())
        .forEach(one -> recipients.add(one.recipient()));
    return recipients;
  }

  private static String language(Map<String, NotificationSettings> settingsOf, String recipient) {
    return settingsOf.getOrDefault(recipient, RecipientSettings.DEFAULTS).getLanguage();
  }

  private void countWritten(Tx tx, List<ReceivedNotification> due, WrittenNotifications written) {
    Set<List<String>> created = new HashSet<>();
    written.entries().forEach(entry -> created.add(List.of(entry.recipient(), entry.key())));
    for (ReceivedNotification one : due) {
      if (!written.mergedInto().containsKey(one.recipient())) {
        boolean isNew = created.remove(List.of(one.recipient(), one.key()));
        count(tx, one, isNew ? Outcome.WRITTEN : Outcome.DUPLICATE);
      }
    }
  }

  private void redirect(Tx tx, List<ReceivedNotification> due, Map<String, String> mergedInto)
      throws SQLException {
    List<OutboxMessage> messages = new ArrayList<>();
    for (ReceivedNotification one : due) {
      String login = mergedInto.get(one.recipient());
      if (login != null && one.message().getMerges() < MAX_MERGES) {
        messages.add(redirected(one, login));
        count(tx, one, Outcome.MOVED);
      } else if (login != null) {
        LOG.error("{} to {} was redirected too often", one.key(), one.recipient());
        count(tx, one, Outcome.LOST);
      }
    }
    outbox.append(tx, messages);
  }

  private OutboxMessage redirected(ReceivedNotification one, String login) {
    SentNotification message =
        one.message().toBuilder().setMerges(one.message().getMerges() + 1).build();
    return new OutboxMessage(
        one.home(), sequence.next(), SendingTopics.NOTIFICATIONS, login, message.toByteArray());
  }

  private void count(Tx tx, ReceivedNotification one, Outcome outcome) {
    tx.afterCommit(() -> metrics.count(outcome, one.message().getTopic()));
  }
}
