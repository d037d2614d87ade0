package dev.torg.notifications.bell;

import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.WithdrawnNotifications;
import dev.torg.notifications.WrittenNotifications;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Puts entries into bells with a fixed number of statements, whatever the number of entries and
/// readers.
public final class BellWriter {
  private final BellStore store;

  public BellWriter(BellStore store) {
    this.store = store;
  }

  public WrittenNotifications write(Tx tx, List<NewNotification> entries, Instant now)
      throws SQLException {
    Map<String, BellStore.LockedBell> rung = ring(tx, readers(entries), entries.size(), now);
    return write(tx, entries, rung, new HashMap<>());
  }

  /// All bells are rung once, in order, for what is new and what grows.
  public WrittenNotifications write(
      Tx tx, List<NewNotification> entries, List<AggregatedNotification> growths, Instant now)
      throws SQLException {
    Set<String> readers = new HashSet<>(readers(entries));
    growths.forEach(growth -> readers.add(growth.recipient()));
    Map<String, BellStore.LockedBell> rung =
        ring(tx, readers, entries.size() + growths.size(), now);
    Map<String, Long> next = new HashMap<>();
    WrittenNotifications written = write(tx, entries, rung, next);
    WrittenNotifications grown = grow(tx, growths, rung, next);
    List<WrittenNotifications.Entry> all = new ArrayList<>(written.entries());
    all.addAll(grown.entries());
    return new WrittenNotifications(all, written.duplicates(), written.moved());
  }

  private WrittenNotifications write(
      Tx tx,
      List<NewNotification> entries,
      Map<String, BellStore.LockedBell> rung,
      Map<String, Long> next)
      throws SQLException {
    List<BellStore.NewEntry> fresh = new ArrayList<>();
    for (NewNotification entry : entries) {
      BellStore.LockedBell bell = rungOf(rung, entry.recipient());
      if (!bell.isMoved()) {
        long id = next.merge(entry.recipient(), bell.first(), (last, _) -> last + 1);
        fresh.add(new BellStore.NewEntry(entry, id, 1, GrowthPlan.body(entry.content())));
      }
    }
    List<BellStore.Inserted> inserted = insert(tx, fresh);
    return new WrittenNotifications(
        inserted.stream()
            .map(row -> new WrittenNotifications.Entry(row.owner(), row.key(), row.id()))
            .toList(),
        fresh.size() - inserted.size(),
        moved(rung));
  }

  /// New entries, or those that are there with a greater size and unread again.
  public WrittenNotifications grow(Tx tx, List<AggregatedNotification> growths, Instant now)
      throws SQLException {
    Set<String> readers =
        growths.stream().map(AggregatedNotification::recipient).collect(Collectors.toSet());
    return grow(tx, growths, ring(tx, readers, growths.size(), now), new HashMap<>());
  }

  private WrittenNotifications grow(
      Tx tx,
      List<AggregatedNotification> growths,
      Map<String, BellStore.LockedBell> rung,
      Map<String, Long> next)
      throws SQLException {
    List<AggregatedNotification> wanted =
        GrowthPlan.sums(growths).stream()
            .filter(g -> !rungOf(rung, g.recipient()).isMoved())
            .toList();
    GrowthPlan plan =
        GrowthPlan.of(
            wanted,
            known(tx, wanted),
            reader -> next.merge(reader, rungOf(rung, reader).first(), (last, _) -> last + 1));
    if (!plan.grown().isEmpty()) {
      store.grow(tx, plan.grown());
      store.addUnread(tx, plan.changes());
    }
    List<BellStore.Inserted> inserted = insert(tx, plan.fresh());
    return new WrittenNotifications(
        inserted.stream()
            .map(row -> new WrittenNotifications.Entry(row.owner(), row.key(), row.id()))
            .toList(),
        0,
        moved(rung));
  }

  public List<Home> homesWithUnread(Tx tx, OfferId offer) throws SQLException {
    return store.homesWithUnread(tx, offer);
  }

  /// Takes unread entries about an offer out of the bells of a home.
  public WithdrawnNotifications withdraw(
      Tx tx, Home home, OfferId offer, int atMostReaders, Instant now) throws SQLException {
    List<String> readers = store.readersOf(tx, home, offer, atMostReaders);
    if (readers.isEmpty()) {
      return new WithdrawnNotifications(0, Set.of());
    }
    ring(tx, Set.copyOf(readers), 1, now);
    UnreadChanges changes = store.withdraw(tx, home, offer, readers);
    store.addUnread(tx, changes);
    return new WithdrawnNotifications(changes.changes(), Set.copyOf(readers));
  }

  private List<BellStore.Inserted> insert(Tx tx, List<BellStore.NewEntry> fresh)
      throws SQLException {
    if (fresh.isEmpty()) {
      return List.of();
    }
    List<BellStore.Inserted> inserted = store.insert(tx, fresh);
    UnreadChanges changes = new UnreadChanges();
    inserted.forEach(row -> changes.add(row.owner(), row.topic(), 1));
    store.addUnread(tx, changes);
    return inserted;
  }

  private Map<String, BellStore.LockedBell> ring(Tx tx, Set<String> readers, int ids, Instant now)
      throws SQLException {
    return store.lockAndAllocateIds(
        tx, readers, ChronoUnit.MICROS.between(Instant.EPOCH, now), ids);
  }

  private Map<List<String>, BellStore.ExistingEntry> known(
      Tx tx, List<AggregatedNotification> growths) throws SQLException {
    Map<List<String>, BellStore.ExistingEntry> known = new HashMap<>();
    List<Home> homes = growths.stream().map(AggregatedNotification::home).toList();
    List<String> readers = growths.stream().map(AggregatedNotification::recipient).toList();
    List<String> keys = growths.stream().map(AggregatedNotification::key).toList();
    for (BellStore.ExistingEntry entry : store.findKeys(tx, homes, readers, keys)) {
      known.put(List.of(entry.owner(), entry.key()), entry);
    }
    return known;
  }

  private static Set<String> readers(List<NewNotification> entries) {
    return entries.stream().map(NewNotification::recipient).collect(Collectors.toSet());
  }

  private static BellStore.LockedBell rungOf(
      Map<String, BellStore.LockedBell> rung, String reader) {
    BellStore.LockedBell bell = rung.get(reader);
    if (bell == null) {
      throw new IllegalStateException("the bell of " + reader + " was not rung");
    }
    return bell;
  }

  private static Map<String, String> moved(Map<String, BellStore.LockedBell> rung) {
    Map<String, String> moved = new HashMap<>();
    rung.forEach(
        (reader, bell) -> {
          if (bell.isMoved()) {
            moved.put(reader, bell.movedTo());
          }
        });
    return moved;
  }
}
