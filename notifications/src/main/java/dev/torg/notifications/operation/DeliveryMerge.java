package dev.torg.notifications.operation;

import dev.torg.notifications.Channel;
import dev.torg.notifications.delivery.DeliveryCount;
import dev.torg.notifications.operation.DeliveryCountStore.Stored;
import dev.torg.notifications.operation.OperationRows.Queued;
import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Moves the operations, attempts and counts of an anonymous identity to a login. The caller has locked the bell that a
/// transaction changes.
///
/// Operations are parked first: a claim in progress is waited for, and none begins any more. Parked operations are copied
/// with their entries, under the login's ids, and removed with them.
public final class DeliveryMerge {
  private static final String MARK =
      """
      INSERT INTO delivery_count_merge (home, owner, anonymous) VALUES (?, ?, ?)
      ON CONFLICT (home, owner, anonymous) DO NOTHING
      """;

  private final OperationStore operations = new OperationStore();
  private final DeliveryAttemptStore attempts = new DeliveryAttemptStore();
  private final DeliveryCountStore counts = new DeliveryCountStore();

  /// What waits to be delivered of some entries, and what was.
  public static final class Deliveries {
    private final List<Queued> operations;
    private final List<DeliveryAttempt> attempts;

    private Deliveries(List<Queued> operations, List<DeliveryAttempt> attempts) {
      this.operations = operations;
      this.attempts = attempts;
    }
  }

  /// What an identity received.
  public static final class Counts {
    private final List<Stored> counts;

    private Counts(List<Stored> counts) {
      this.counts = counts;
    }

    public boolean isEmpty() {
      return counts.isEmpty();
    }
  }

  public void park(Tx tx, String anonymous) throws SQLException {
    operations.park(tx, anonymous);
  }

  /// After all entries were moved. What is left has no entry any more, and is cancelled when it is due.
  public void resume(Tx tx, String anonymous) throws SQLException {
    operations.resume(tx, anonymous);
  }

  public Deliveries read(Tx tx, String anonymous, long[] entries) throws SQLException {
    return new Deliveries(
        operations.parked(tx, anonymous, entries), attempts.ofEntries(tx, anonymous, entries));
  }

  /// @param newIds the ids of the login's new entries, by their former ones
  public void copy(Tx tx, String login, Deliveries moved, Map<Long, Long> newIds)
      throws SQLException {
    operations.insert(
        tx,
        moved.operations.stream()
            .filter(queued -> newIds.containsKey(queued.operation().notificationId()))
            .map(
                queued ->
                    new Queued(
                        queued
                            .operation()
                            .movedTo(login, id(newIds, queued.operation().notificationId())),
                        queued.dueAt()))
            .toList());
    copyAttempts(tx, login, moved.attempts, newIds);
  }

  /// Returns the attempts that were removed and have an outcome.
  public Deliveries remove(Tx tx, String anonymous, Set<Long> copied) throws SQLException {
    long[] entries = copied.stream().mapToLong(Long::longValue).toArray();
    operations.removeOfEntries(tx, anonymous, entries);
    List<DeliveryAttempt> recorded =
        attempts.removeOfEntries(tx, anonymous, entries).stream()
            .filter(attempt -> attempt.outcome() != AttemptOutcome.SENDING)
            .toList();
    return new Deliveries(List.of(), recorded);
  }

  /// Outcomes that were recorded between [#read] and [#remove].
  public void copyOutcomes(Tx tx, String login, Deliveries removed, Map<Long, Long> newIds)
      throws SQLException {
    copyAttempts(tx, login, removed.attempts, newIds);
  }

  private void copyAttempts(
      Tx tx, String login, List<DeliveryAttempt> moved, Map<Long, Long> newIds)
      throws SQLException {
    attempts.put(
        tx,
        moved.stream()
            .filter(attempt -> newIds.containsKey(attempt.notificationId()))
            .map(attempt -> attempt.movedTo(login, id(newIds, attempt.notificationId())))
            .toList());
  }

  private static long id(Map<Long, Long> newIds, long id) {
    return Objects.requireNonNull(newIds.get(id));
  }

  public Counts counts(Tx tx, String anonymous) throws SQLException {
    return new Counts(counts.readAll(tx, anonymous));
  }

  /// Once per identity, however often it is called. Waits for claims of the login's operations, which change its counts.
  public void addCounts(Tx tx, String login, String anonymous, Counts added) throws SQLException {
    int marked = tx.sql(MARK).set(Home.of(login)).set(login).set(anonymous).update();
    if (marked > 0) {
      operations.lockOfOwner(tx, login);
      counts.put(tx, sums(login, counts.readAll(tx, login), added.counts));
    }
  }

  public void deleteCounts(Tx tx, String anonymous) throws SQLException {
    counts.delete(tx, anonymous);
  }

  private record CountKey(Channel channel, String topic) {
    static CountKey of(Stored stored) {
      return new CountKey(stored.channel(), stored.changed().key().topic());
    }
  }

  private static List<Stored> sums(String login, List<Stored> own, List<Stored> added) {
    Map<CountKey, DeliveryCount> sums = new HashMap<>();
    own.forEach(stored -> sums.put(CountKey.of(stored), stored.count()));
    added.forEach(stored -> sums.merge(CountKey.of(stored), stored.count(), DeliveryCount::plus));
    return sums.entrySet().stream()
        .map(
            sum ->
                new Stored(
                    sum.getKey().channel(),
                    new DeliveryCounts.Changed(
                        new DeliveryCounts.Key(login, sum.getKey().topic()), sum.getValue())))
        .toList();
  }
}
