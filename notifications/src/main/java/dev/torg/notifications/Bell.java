package dev.torg.notifications;

import dev.torg.notifications.bell.BellStore;
import dev.torg.notifications.bell.BellWriter;
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
  private final BellWriter entries = new BellWriter(new BellStore());
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
  public WrittenNotifications write(Tx tx, List<NewNotification> notifications)
      throws SQLException {
    if (notifications.isEmpty()) {
      return new WrittenNotifications(List.of(), 0, Map.of());
    }
    WrittenNotifications result = entries.write(tx, notifications, clock.instant());
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
  public WrittenNotifications grow(Tx tx, List<AggregatedNotification> growths)
      throws SQLException {
    if (growths.isEmpty()) {
      return new WrittenNotifications(List.of(), 0, Map.of());
    }
    WrittenNotifications result = entries.grow(tx, growths, clock.instant());
    Set<String> readers =
        growths.stream().map(AggregatedNotification::recipient).collect(Collectors.toSet());
    tx.afterCommit(
        () -> {
          collapsed.increment(growths.size());
          changed(readers);
        });
    return result;
  }

  /// Both at once: new entries, and entries that grow.
  public WrittenNotifications write(
      Tx tx, List<NewNotification> notifications, List<AggregatedNotification> growths)
      throws SQLException {
    if (growths.isEmpty()) {
      return write(tx, notifications);
    }
    if (notifications.isEmpty()) {
      return grow(tx, growths);
    }
    WrittenNotifications result = entries.write(tx, notifications, growths, clock.instant());
    Set<String> readers = new HashSet<>(readers(result.entries()));
    growths.forEach(growth -> readers.add(growth.recipient()));
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
  public WithdrawnNotifications withdraw(Tx tx, Home home, OfferId offer, int atMostReaders)
      throws SQLException {
    WithdrawnNotifications result =
        entries.withdraw(tx, home, offer, atMostReaders, clock.instant());
    tx.afterCommit(
        () -> {
          withdrawn.increment(result.entries());
          changed(result.recipients());
        });
    return result;
  }

  /// Calls back after each commit in this process that changed somebody's bell. Must be quick.
  public void onChange(Consumer<Set<String>> listener) {
    listeners.add(listener);
  }

  /// Somebody's bell changed in a transaction that has committed.
  public void changed(Set<String> readers) {
    if (!readers.isEmpty()) {
      listeners.forEach(listener -> listener.accept(readers));
    }
  }

  private static Set<String> readers(Collection<WrittenNotifications.Entry> written) {
    return written.stream().map(WrittenNotifications.Entry::recipient).collect(Collectors.toSet());
  }

  private static Counter counter(MeterRegistry registry, String outcome) {
    return Counter.builder("torg.notifications")
        .description("Entries written to bells, and those that were there before")
        .tag("outcome", outcome)
        .register(registry);
  }
}
