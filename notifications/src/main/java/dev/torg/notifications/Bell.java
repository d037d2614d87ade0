package dev.torg.notifications;

import dev.torg.notifications.bell.BellStore;
import dev.torg.notifications.bell.WriteEntries;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// How other rooms speak to people. Every method joins the caller's transaction in the readers'
/// homes: the entry and the exact unread count commit with what the caller did, or not at all.
///
/// Readers' bells are locked in the order of their keys, so call at most one method of this class in
/// a transaction, with all that there is to say. Where tables are distributed, all readers of a call
/// are of one home.
public final class Bell {
  private final WriteEntries entries = new WriteEntries(new BellStore());
  private final InstantSource clock;
  private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();
  private final Counter written;
  private final Counter duplicates;
  private final Counter collapsed;
  private final Counter withdrawn;

  public Bell(InstantSource clock, MeterRegistry registry) {
    this.clock = clock;
    this.written = counter(registry, "written");
    this.duplicates = counter(registry, "duplicate");
    this.collapsed = counter(registry, "collapsed");
    this.withdrawn = counter(registry, "withdrawn");
  }

  /// Puts entries into their readers' bells, whichever homes those are in. An entry whose key the
  /// reader has had before changes nothing; for readers who moved to a login nothing is written.
  public Written write(Tx tx, List<NewNotification> notifications) throws SQLException {
    if (notifications.isEmpty()) {
      return new Written(List.of(), 0, Map.of());
    }
    Written result = entries.write(tx, notifications, clock.instant());
    Set<String> readers = readers(result.entries());
    tx.afterCommit(
        () -> {
          written.increment(result.entries().size());
          duplicates.increment(result.duplicates());
          changed(readers);
        });
    return result;
  }

  /// Lets entries grow that stand for many events; one that is not there yet is made. Whoever calls
  /// it sees to it that an event counts once, by the transaction in which it does.
  public Written grow(Tx tx, List<Growth> growths) throws SQLException {
    if (growths.isEmpty()) {
      return new Written(List.of(), 0, Map.of());
    }
    Written result = entries.grow(tx, growths, clock.instant());
    Set<String> readers = growths.stream().map(Growth::reader).collect(Collectors.toSet());
    tx.afterCommit(
        () -> {
          collapsed.increment(growths.size());
          changed(readers);
        });
    return result;
  }

  /// Both at once: new entries, and entries that grow.
  public Written write(Tx tx, List<NewNotification> notifications, List<Growth> growths)
      throws SQLException {
    if (growths.isEmpty()) {
      return write(tx, notifications);
    }
    if (notifications.isEmpty()) {
      return grow(tx, growths);
    }
    Written result = entries.write(tx, notifications, growths, clock.instant());
    Set<String> readers = new HashSet<>(readers(result.entries()));
    growths.forEach(growth -> readers.add(growth.reader()));
    tx.afterCommit(
        () -> {
          written.increment(notifications.size() - result.duplicates());
          duplicates.increment(result.duplicates());
          collapsed.increment(growths.size());
          changed(readers);
        });
    return result;
  }

  /// The homes that have unread entries about an offer.
  public List<Home> homesWithUnread(Tx tx, OfferId offer) throws SQLException {
    return entries.homesWithUnread(tx, offer);
  }

  /// Takes back the unread entries about an offer from at most so many readers of a home. Call it
  /// again, in a new transaction, while there may be more.
  public Withdrawn withdraw(Tx tx, Home home, OfferId offer, int atMostReaders)
      throws SQLException {
    Withdrawn result = entries.withdraw(tx, home, offer, atMostReaders, clock.instant());
    tx.afterCommit(
        () -> {
          withdrawn.increment(result.entries());
          changed(result.readers());
        });
    return result;
  }

  /// Calls back after each commit in this process that changed somebody's bell. Must be quick.
  public void onChange(Consumer<Set<String>> listener) {
    listeners.add(listener);
  }

  /// Somebody's bell changed in a transaction that has committed.
  void changed(Set<String> readers) {
    if (!readers.isEmpty()) {
      listeners.forEach(listener -> listener.accept(readers));
    }
  }

  private static Set<String> readers(Collection<Written.Entry> written) {
    return written.stream().map(Written.Entry::reader).collect(Collectors.toSet());
  }

  private static Counter counter(MeterRegistry registry, String outcome) {
    return Counter.builder("torg.notifications")
        .description("Entries written to bells, and those that were there before")
        .tag("outcome", outcome)
        .register(registry);
  }
}
