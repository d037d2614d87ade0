package dev.torg.notifications.bell;

import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.BellEntry;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.WithdrawnNotifications;
import dev.torg.notifications.WrittenNotifications;
import dev.torg.notifications.bell.BellStore.ExistingEntry;
import dev.torg.notifications.bell.BellStore.Inserted;
import dev.torg.notifications.bell.BellStore.LockedBell;
import dev.torg.notifications.bell.BellStore.NewEntry;
import dev.torg.notifications.operation.BellOperations;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Writes entries to bells and withdraws them, with a fixed number of statements per call, whatever the
/// number of entries and recipients.
public final class BellWriter {
  private final BellStore store;
  private final BellOperations operations;

  public BellWriter(BellStore store, BellOperations operations) {
    this.store = store;
    this.operations = operations;
  }

  /// Locks all bells once, in order. Then inserts the new entries, and inserts the aggregated ones or
  /// enlarges them and marks them unread. Last, queues the deliveries of those that were created.
  public WrittenNotifications write(Tx tx, List<? extends BellEntry> entries, Instant now)
      throws SQLException {
    Set<String> recipients = entries.stream().map(BellEntry::recipient).collect(Collectors.toSet());
    Batch batch = new Batch(lock(tx, recipients, entries.size(), now));
    List<Inserted> added = insert(tx, batch.newEntries(of(NewNotification.class, entries)));
    int duplicates = batch.newEntryCount - added.size();
    List<Inserted> inserted = new ArrayList<>(added);
    inserted.addAll(aggregate(tx, batch, of(AggregatedNotification.class, entries)));
    operations.queue(tx, created(entries, inserted), now);
    return new WrittenNotifications(
        inserted.stream()
            .map(row -> new WrittenNotifications.Entry(row.owner(), row.key(), row.id()))
            .toList(),
        duplicates,
        batch.mergedInto());
  }

  /// The entries that were created and have channels.
  private static List<BellOperations.Created> created(
      List<? extends BellEntry> entries, List<Inserted> inserted) {
    Map<List<String>, BellEntry> delivered = new HashMap<>();
    entries.stream()
        .filter(entry -> !entry.delivery().channels().isEmpty())
        .forEach(entry -> delivered.putIfAbsent(List.of(entry.recipient(), entry.key()), entry));
    List<BellOperations.Created> created = new ArrayList<>();
    if (!delivered.isEmpty()) {
      for (Inserted row : inserted) {
        BellEntry entry = delivered.get(List.of(row.owner(), row.key()));
        if (entry != null) {
          created.add(new BellOperations.Created(entry, row.id()));
        }
      }
    }
    return created;
  }

  /// The entries that did not exist.
  private List<Inserted> aggregate(Tx tx, Batch batch, List<AggregatedNotification> notifications)
      throws SQLException {
    List<AggregatedNotification> aggregated =
        AggregationPlan.mergeByKey(notifications).stream()
            .filter(notification -> !batch.bell(notification.recipient()).isMerged())
            .toList();
    AggregationPlan plan = AggregationPlan.of(aggregated, existing(tx, aggregated), batch::nextId);
    store.updateAggregated(tx, plan.aggregatedEntries());
    store.addUnread(tx, plan.changes());
    return insert(tx, plan.newEntries());
  }

  public List<Home> homesWithUnread(Tx tx, OfferId offer) throws SQLException {
    return store.homesWithUnread(tx, offer);
  }

  /// Deletes unread entries about an offer from bells of a home.
  public WithdrawnNotifications withdraw(
      Tx tx, Home home, OfferId offer, int maxRecipients, Instant now) throws SQLException {
    List<String> recipients = store.recipientsOf(tx, home, offer, maxRecipients);
    if (recipients.isEmpty()) {
      return new WithdrawnNotifications(0, Set.of());
    }
    lock(tx, Set.copyOf(recipients), 1, now);
    UnreadChanges changes = store.withdraw(tx, home, offer, recipients);
    store.addUnread(tx, changes);
    return new WithdrawnNotifications(changes.changes(), Set.copyOf(recipients));
  }

  private List<Inserted> insert(Tx tx, List<NewEntry> entries) throws SQLException {
    List<Inserted> inserted = store.insert(tx, entries);
    UnreadChanges changes = new UnreadChanges();
    inserted.forEach(row -> changes.add(row.owner(), row.topic(), 1));
    store.addUnread(tx, changes);
    return inserted;
  }

  private Map<String, LockedBell> lock(Tx tx, Set<String> recipients, int ids, Instant now)
      throws SQLException {
    return store.lockAndAllocateIds(tx, recipients, EpochMicros.of(now), ids);
  }

  private Map<List<String>, ExistingEntry> existing(
      Tx tx, List<AggregatedNotification> notifications) throws SQLException {
    Map<List<String>, ExistingEntry> existing = new HashMap<>();
    for (ExistingEntry entry : store.findKeys(tx, notifications)) {
      existing.put(List.of(entry.owner(), entry.key()), entry);
    }
    return existing;
  }

  /// The locked bells of one call, and the ids that are left of those allocated for it.
  private static final class Batch {
    private final Map<String, LockedBell> bells;
    private final Map<String, Long> lastIds = new HashMap<>();
    private int newEntryCount;

    Batch(Map<String, LockedBell> bells) {
      this.bells = bells;
    }

    LockedBell bell(String recipient) {
      LockedBell bell = bells.get(recipient);
      if (bell == null) {
        throw new IllegalStateException("the bell of " + recipient + " is not locked");
      }
      return bell;
    }

    long nextId(String recipient) {
      return lastIds.merge(recipient, bell(recipient).first(), (last, _) -> last + 1);
    }

    List<NewEntry> newEntries(List<NewNotification> notifications) {
      List<NewEntry> entries = new ArrayList<>();
      for (NewNotification notification : notifications) {
        if (!bell(notification.recipient()).isMerged()) {
          long id = nextId(notification.recipient());
          entries.add(
              new NewEntry(notification, id, 1, AggregationPlan.body(notification.content())));
        }
      }
      newEntryCount = entries.size();
      return entries;
    }

    Map<String, String> mergedInto() {
      Map<String, String> mergedInto = new HashMap<>();
      bells.forEach(
          (recipient, bell) -> {
            if (bell.isMerged()) {
              mergedInto.put(recipient, bell.mergedInto());
            }
          });
      return mergedInto;
    }
  }

  private static <T extends BellEntry> List<T> of(
      Class<T> type, List<? extends BellEntry> entries) {
    return entries.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
