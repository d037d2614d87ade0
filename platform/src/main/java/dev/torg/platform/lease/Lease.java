package dev.torg.platform.lease;

import static java.util.stream.Collectors.toSet;

import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/// The right to do some work for a group of homes, for as long as it is renewed.
public final class Lease {
  /// How long a renewal is valid: work fails over within ten seconds, and the new holder needs some
  /// time to start.
  static final Duration TTL = Duration.ofSeconds(8);

  /// Locks the row against a takeover until the transaction ends. A holder that is suspended inside
  /// its transaction would keep that lock, so the server ends a session that is idle in it for 4
  /// seconds, well before the lease expires.
  private static final String CHECK =
      """
      SELECT set_config('idle_in_transaction_session_timeout', '4000', true)
      FROM lease WHERE work = ? AND homes_group = ? AND owner = ? AND epoch = ? FOR SHARE
      """;

  private static final String CHECK_ALL =
      """
      SELECT l.homes_group, set_config('idle_in_transaction_session_timeout', '4000', true)
      FROM lease l
      JOIN unnest(?::text[], ?::int[], ?::text[], ?::bigint[]) AS held (work, homes_group, owner, epoch)
        ON l.work = held.work AND l.homes_group = held.homes_group
       AND l.owner = held.owner AND l.epoch = held.epoch
      ORDER BY l.work, l.homes_group FOR SHARE OF l
      """;

  private final String work;
  private final int group;
  private final String owner;
  private final long epoch;
  private final Semaphore wake = new Semaphore(0);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile long validUntil;

  /// Valid from before its request was sent, so never longer than the row's `until`.
  Lease(String work, int group, String owner, long epoch, long requestedAt) {
    this.work = work;
    this.group = group;
    this.owner = owner;
    this.epoch = epoch;
    renewed(requestedAt);
  }

  public String work() {
    return work;
  }

  public int group() {
    return group;
  }

  LeaseId id() {
    return new LeaseId(work, group);
  }

  public long epoch() {
    return epoch;
  }

  /// The homes that this lease covers.
  public List<Home> homes() {
    return IntStream.range(0, Home.COUNT)
        .filter(number -> number % Home.GROUPS == group)
        .mapToObj(Home::new)
        .toList();
  }

  /// Whether a step may start. Its writes still need [#check].
  public boolean isValid() {
    return ended.getCount() > 0 && System.nanoTime() - validUntil < 0;
  }

  /// Makes the transaction fail with [LeaseLost] unless this lease is still the current one, and
  /// keeps it so until the transaction ends. To be called before the first write.
  public void check(Tx tx) throws SQLException {
    boolean current =
        tx.sql(CHECK).set(work).set(group).set(owner).set(epoch).first(row -> true).orElse(false);
    if (!current) {
      throw new LeaseLost(this);
    }
  }

  /// The same for several leases of one work: returns those that are lost and locks the others
  /// until the transaction ends.
  public static Set<Lease> lost(Tx tx, Collection<Lease> leases) throws SQLException {
    List<Lease> checked = List.copyOf(leases);
    Set<Integer> current = new HashSet<>();
    tx.sql(CHECK_ALL)
        .texts(checked, Lease::work)
        .ints(checked, Lease::group)
        .texts(checked, lease -> lease.owner)
        .longs(checked, Lease::epoch)
        .each(row -> current.add(row.intAt(1)));
    return checked.stream().filter(lease -> !current.contains(lease.group)).collect(toSet());
  }

  /// Ends the sleep between two steps because there is work.
  public void wake() {
    if (wake.availablePermits() == 0) {
      wake.release();
    }
  }

  void sleep(Duration max) throws InterruptedException {
    if (wake.tryAcquire(max.toNanos(), TimeUnit.NANOSECONDS)) {
      wake.drainPermits();
    }
  }

  /// A sleep that [#wake] does not end: after a failure.
  void backOff(Duration time) throws InterruptedException {
    ended.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  void renewed(long requestedAt) {
    validUntil = requestedAt + TTL.toNanos();
  }

  /// Starts no further step.
  void end() {
    ended.countDown();
    wake();
  }
}
