package dev.torg.notifications.bell;

import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.Bell;
import dev.torg.notifications.BellEntry;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.WithdrawnNotifications;
import dev.torg.notifications.WrittenNotifications;
import dev.torg.notifications.operation.BellOperations;
import dev.torg.notifications.operation.OperationListeners;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The bell in the database: writes through [BellWriter], then counts and publishes what was committed.
public final class StoredBell implements Bell {
  private final BellWriter writer;
  private final InstantSource clock;
  private final BellChanges changes;
  private final Counter written;
  private final Counter duplicates;
  private final Counter collapsed;
  private final Counter withdrawn;

  /// A bell whose deliveries on other channels wake no sender of this process.
  public StoredBell(InstantSource clock, BellChanges changes, MeterRegistry registry) {
    this(clock, changes, new OperationListeners(), registry);
  }

  public StoredBell(
      InstantSource clock,
      BellChanges changes,
      OperationListeners operations,
      MeterRegistry registry) {
    this.writer = new BellWriter(new BellStore(), new BellOperations(operations, registry));
    this.clock = clock;
    this.changes = changes;
    this.written = counter(registry, "written");
    this.duplicates = counter(registry, "duplicate");
    this.collapsed = counter(registry, "collapsed");
    this.withdrawn = counter(registry, "withdrawn");
  }

  @Override
  public WrittenNotifications write(Tx tx, List<? extends BellEntry> entries) throws SQLException {
    Instant now = clock.instant();
    List<? extends BellEntry> current =
        entries.stream().filter(entry -> !entry.delivery().isExpiredAt(now)).toList();
    if (current.isEmpty()) {
      return new WrittenNotifications(List.of(), 0, Map.of());
    }
    WrittenNotifications result = writer.write(tx, current, now);
    tx.afterCommit(() -> committed(current, result));
    return result;
  }

  private void committed(List<? extends BellEntry> entries, WrittenNotifications result) {
    Set<String> recipients = new HashSet<>();
    result.entries().forEach(entry -> recipients.add(entry.recipient()));
    int added = -result.duplicates();
    for (BellEntry entry : entries) {
      switch (entry) {
        case NewNotification _ ->
            added += result.mergedInto().containsKey(entry.recipient()) ? 0 : 1;
        case AggregatedNotification _ -> {
          collapsed.increment();
          recipients.add(entry.recipient());
        }
      }
    }
    written.increment(added);
    duplicates.increment(result.duplicates());
    changes.publish(recipients);
  }

  @Override
  public List<Home> homesWithUnread(Tx tx, OfferId offer) throws SQLException {
    return writer.homesWithUnread(tx, offer);
  }

  @Override
  public WithdrawnNotifications withdraw(Tx tx, Home home, OfferId offer, int maxRecipients)
      throws SQLException {
    WithdrawnNotifications result =
        writer.withdraw(tx, home, offer, maxRecipients, clock.instant());
    tx.afterCommit(
        () -> {
          withdrawn.increment(result.entries());
          changes.publish(result.recipients());
        });
    return result;
  }

  @Override
  public void changed(Set<String> recipients) {
    changes.publish(recipients);
  }

  private static Counter counter(MeterRegistry registry, String outcome) {
    return Counter.builder("torg.notifications")
        .description("Entries written to bells, and those that were there before")
        .tag("outcome", outcome)
        .register(registry);
  }
}
