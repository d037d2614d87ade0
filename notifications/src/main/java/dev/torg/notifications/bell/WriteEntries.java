package dev.torg.notifications.bell;

import dev.torg.api.v1.Notification;
import dev.torg.notifications.Growth;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.Withdrawn;
import dev.torg.notifications.Written;
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
public final class WriteEntries {
  private final BellStore store;

  public WriteEntries(BellStore store) {
    this.store = store;
  }

  public Written write(Tx tx, List<NewNotification> entries, Instant now) throws SQLException {
    Map<String, BellStore.Rung> rung = ring(tx, readers(entries), entries.size(), now);
    return write(tx, entries, rung, new HashMap<>());
  }

  /// All bells are rung once, in order, for what is new and what grows.
  public Written write(Tx tx, List<NewNotification> entries, List<Growth> growths, Instant now)
      throws SQLException {
    Set<String> readers = new HashSet<>(readers(entries));
    growths.forEach(growth -> readers.add(growth.reader()));
    Map<String, BellStore.Rung> rung = ring(tx, readers, entries.size() + growths.size(), now);
    Map<String, Long> next = new HashMap<>();
    Written written = write(tx, entries, rung, next);
    Written grown = grow(tx, growths, rung, next);
    List<Written.Entry> all = new ArrayList<>(written.entries());
    all.addAll(grown.entries());
    return new Written(all, written.duplicates(), written.moved());
  }

  private Written write(
      Tx tx,
      List<NewNotification> entries,
      Map<String, BellStore.Rung> rung,
      Map<String, Long> next)
      throws SQLException {
    List<BellStore.Fresh> fresh = new ArrayList<>();
    for (NewNotification entry : entries) {
      BellStore.Rung bell = rungOf(rung, entry.reader());
      if (!bell.isMoved()) {
        long id = next.merge(entry.reader(), bell.first(), (last, _) -> last + 1);
        fresh.add(new BellStore.Fresh(entry, id, 1, body(entry.content())));
      }
    }
    List<BellStore.Inserted> inserted = insert(tx, fresh);
    return new Written(
        inserted.stream().map(row -> new Written.Entry(row.owner(), row.key(), row.id())).toList(),
        fresh.size() - inserted.size(),
        moved(rung));
  }

  /// New entries, or those that are there with a greater size and unread again.
  public Written grow(Tx tx, List<Growth> growths, Instant now) throws SQLException {
    Set<String> readers = growths.stream().map(Growth::reader).collect(Collectors.toSet());
    return grow(tx, growths, ring(tx, readers, growths.size(), now), new HashMap<>());
  }

  private Written grow(
      Tx tx, List<Growth> growths, Map<String, BellStore.Rung> rung, Map<String, Long> next)
      throws SQLException {
    List<Growth> wanted =
        sums(growths).stream().filter(g -> !rungOf(rung, g.reader()).isMoved()).toList();
    Map<List<String>, BellStore.Known> known = known(tx, wanted);
    List<BellStore.Fresh> fresh = new ArrayList<>();
    List<BellStore.Grown> grown = new ArrayList<>();
    UnreadChanges changes = new UnreadChanges();
    for (Growth growth : wanted) {
      long first = rungOf(rung, growth.reader()).first();
      long id = next.merge(growth.reader(), first, (last, _) -> last + 1);
      BellStore.Known entry = known.get(List.of(growth.reader(), growth.key()));
      if (entry == null) {
        fresh.add(fresh(growth, id));
      } else {
        grown.add(grown(growth, entry, id));
        changes.add(growth.reader(), entry.topic(), entry.read() ? 1 : 0);
      }
    }
    if (!grown.isEmpty()) {
      store.grow(tx, grown);
      store.addUnread(tx, changes);
    }
    List<BellStore.Inserted> inserted = insert(tx, fresh);
    return new Written(
        inserted.stream().map(row -> new Written.Entry(row.owner(), row.key(), row.id())).toList(),
        0,
        moved(rung));
  }

  public List<Home> homesWithUnread(Tx tx, OfferId offer) throws SQLException {
    return store.homesWithUnread(tx, offer);
  }

  /// Takes unread entries about an offer out of the bells of a home.
  public Withdrawn withdraw(Tx tx, Home home, OfferId offer, int atMostReaders, Instant now)
      throws SQLException {
    List<String> readers = store.readersOf(tx, home, offer, atMostReaders);
    if (readers.isEmpty()) {
      return new Withdrawn(0, Set.of());
    }
    ring(tx, Set.copyOf(readers), 1, now);
    UnreadChanges changes = store.withdraw(tx, home, offer, readers);
    store.addUnread(tx, changes);
    return new Withdrawn(changes.changes(), Set.copyOf(readers));
  }

  private List<BellStore.Inserted> insert(Tx tx, List<BellStore.Fresh> fresh) throws SQLException {
    if (fresh.isEmpty()) {
      return List.of();
    }
    List<BellStore.Inserted> inserted = store.insert(tx, fresh);
    UnreadChanges changes = new UnreadChanges();
    inserted.forEach(row -> changes.add(row.owner(), row.topic(), 1));
    store.addUnread(tx, changes);
    return inserted;
  }

  private Map<String, BellStore.Rung> ring(Tx tx, Set<String> readers, int ids, Instant now)
      throws SQLException {
    return store.ring(tx, readers, ChronoUnit.MICROS.between(Instant.EPOCH, now), ids);
  }

  private Map<List<String>, BellStore.Known> known(Tx tx, List<Growth> growths)
      throws SQLException {
    Map<List<String>, BellStore.Known> known = new HashMap<>();
    List<Home> homes = growths.stream().map(Growth::home).toList();
    List<String> readers = growths.stream().map(Growth::reader).toList();
    List<String> keys = growths.stream().map(Growth::key).toList();
    for (BellStore.Known entry : store.findKeys(tx, homes, readers, keys)) {
      known.put(List.of(entry.owner(), entry.key()), entry);
    }
    return known;
  }

  /// Several growths of one entry become one.
  private static List<Growth> sums(List<Growth> growths) {
    Map<List<String>, Growth> sums = new HashMap<>();
    for (Growth growth : growths) {
      sums.merge(
          List.of(growth.reader(), growth.key()),
          growth,
          (a, b) ->
              new Growth(a.reader(), a.key(), a.topic(), a.at(), a.by() + b.by(), b.content()));
    }
    return List.copyOf(sums.values());
  }

  private static BellStore.Fresh fresh(Growth growth, long id) {
    Notification content = growth.content().apply(growth.by());
    NewNotification entry =
        new NewNotification(
            growth.reader(), growth.key(), growth.topic(), growth.at(), null, content);
    return new BellStore.Fresh(entry, id, growth.by(), body(content));
  }

  private static BellStore.Grown grown(Growth growth, BellStore.Known entry, long seq) {
    int size = entry.size() + growth.by();
    byte[] body = body(growth.content().apply(size));
    return new BellStore.Grown(growth.home(), growth.reader(), entry.id(), size, seq, body);
  }

  private static Set<String> readers(List<NewNotification> entries) {
    return entries.stream().map(NewNotification::reader).collect(Collectors.toSet());
  }

  private static BellStore.Rung rungOf(Map<String, BellStore.Rung> rung, String reader) {
    BellStore.Rung bell = rung.get(reader);
    if (bell == null) {
      throw new IllegalStateException("the bell of " + reader + " was not rung");
    }
    return bell;
  }

  private static Map<String, String> moved(Map<String, BellStore.Rung> rung) {
    Map<String, String> moved = new HashMap<>();
    rung.forEach(
        (reader, bell) -> {
          if (bell.isMoved()) {
            moved.put(reader, bell.movedTo());
          }
        });
    return moved;
  }

  /// What the columns say is not said twice.
  private static byte[] body(Notification content) {
    return content.toBuilder()
        .clearId()
        .clearTopic()
        .clearCreatedAt()
        .clearRead()
        .clearOfferId()
        .build()
        .toByteArray();
  }
}
