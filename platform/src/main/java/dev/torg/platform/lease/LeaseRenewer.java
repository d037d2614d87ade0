package dev.torg.platform.lease;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Renews all leases of this process: every three seconds, and when another process's lease may have
/// expired, one short transaction registers this process as a member, renews the leases it holds and
/// acquires free ones up to its share of each work. Leases above the share are released between two steps.
///
/// A row that one of this process's own steps has locked is skipped and renewed shortly after: no other
/// process can acquire it meanwhile, and the renewal of the others must not wait for it.
final class LeaseRenewer {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewer.class);

  /// Two chances to renew within a lease's eight seconds; a failed renewal is retried soon.
  private static final Duration RENEW_INTERVAL = Duration.ofSeconds(3);

  /// Lets several leases that expire together be acquired together.
  private static final Duration TAKEOVER_DELAY = Duration.ofMillis(20);

  private static final Duration BUSY_RETRY_DELAY = Duration.ofMillis(300);
  private static final Duration FAILURE_RETRY_DELAY = Duration.ofMillis(500);

  private final Database database;
  private final String owner;
  private final LeaseStore store;
  private final List<HeldLeases> works = new CopyOnWriteArrayList<>();
  private final Set<String> created = new HashSet<>();
  private final Semaphore wakeUps = new Semaphore(0);
  private final Thread thread = Thread.ofVirtual().name("leases").unstarted(this::renewLoop);
  private volatile boolean stopping;

  LeaseRenewer(Database database, String owner) {
    this.database = database;
    this.owner = owner;
    this.store = new LeaseStore(owner);
  }

  void start() {
    thread.start();
  }

  void add(HeldLeases work) {
    works.add(work);
    wakeUps.release();
  }

  void stop() {
    stopping = true;
    wakeUps.release();
  }

  void awaitEnd() {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void renewLoop() {
    Duration delay = Duration.ZERO;
    while (!stopped(delay)) {
      try {
        delay = renewAll();
      } catch (RuntimeException | Error e) {
        LOG.warn("cannot renew the leases: {}", e.toString());
        delay = FAILURE_RETRY_DELAY;
      }
    }
    releaseAll();
  }

  /// Sleeps until the next renewal or new work; returns whether the renewer is stopping.
  private boolean stopped(Duration delay) {
    try {
      if (wakeUps.tryAcquire(delay.toMillis(), TimeUnit.MILLISECONDS)) {
        wakeUps.drainPermits();
      }
      return stopping;
    } catch (InterruptedException e) {
      return true;
    }
  }

  private Duration renewAll() {
    List<HeldLeases> all = List.copyOf(works);
    create(all);
    List<Lease> held = all.stream().flatMap(work -> work.held().stream()).toList();
    long requestedAt = System.nanoTime();
    Renewal renewal = database.inTransaction(tx -> renew(tx, all, held));
    held.forEach(lease -> applyRenewal(lease, renewal, requestedAt));
    all.forEach(work -> begin(work, renewal, requestedAt));
    all.forEach(work -> work.releaseAbove(renewal.share(work)));
    return renewal.delay();
  }

  private void create(List<HeldLeases> all) {
    List<String> missing =
        all.stream().map(HeldLeases::name).filter(name -> !created.contains(name)).toList();
    if (!missing.isEmpty()) {
      database.transact(tx -> store.create(tx, missing));
      created.addAll(missing);
    }
  }

  /// The result of one transaction; epochs by lease.
  private record Renewal(
      Map<String, Integer> shares,
      Map<LeaseId, Long> renewed,
      Map<LeaseId, Long> busy,
      Map<LeaseId, Long> acquired,
      Duration delay) {
    int share(HeldLeases work) {
      return shares.getOrDefault(work.name(), Home.GROUPS);
    }
  }

  private Renewal renew(Tx tx, List<HeldLeases> all, List<Lease> held) throws SQLException {
    List<String> names = all.stream().map(HeldLeases::name).toList();
    Map<String, Integer> members = store.join(tx, names);
    Map<String, Integer> shares = new HashMap<>();
    Map<LeaseId, Long> acquired = new HashMap<>();
    for (HeldLeases work : all) {
      int share = Math.ceilDiv(Home.GROUPS, Math.max(1, members.getOrDefault(work.name(), 1)));
      shares.put(work.name(), share);
      Set<Integer> ownGroups = work.groups();
      acquired.putAll(store.acquire(tx, work.name(), share - ownGroups.size(), ownGroups));
    }
    Duration next =
        store.untilNextEnd(tx, names, RENEW_INTERVAL.minus(TAKEOVER_DELAY)).plus(TAKEOVER_DELAY);
    // Last, because the steps of this process wait for the rows that are renewed.
    Map<LeaseId, Long> renewed = store.renew(tx, held);
    List<Lease> missing = held.stream().filter(lease -> !renewed.containsKey(lease.id())).toList();
    Map<LeaseId, Long> busy = store.stillHeld(tx, missing);
    boolean retryEarly = !busy.isEmpty() && next.compareTo(BUSY_RETRY_DELAY) > 0;
    return new Renewal(shares, renewed, busy, acquired, retryEarly ? BUSY_RETRY_DELAY : next);
  }

  private static void applyRenewal(Lease lease, Renewal renewal, long requestedAt) {
    if (renewal.renewed().getOrDefault(lease.id(), -1L) == lease.epoch()) {
      lease.renewed(requestedAt);
    } else if (!renewal.busy().containsKey(lease.id())) {
      LOG.info("{}/{} was taken over", lease.work(), lease.group());
      lease.end();
    }
  }

  private void begin(HeldLeases work, Renewal renewal, long requestedAt) {
    renewal
        .acquired()
        .forEach(
            (id, epoch) -> {
              if (id.work().equals(work.name())) {
                work.begin(
                    new Lease(id.work(), id.group(), owner, epoch, requestedAt), this::ended);
              }
            });
  }

  /// Called by the runner after its last step, so that no other process begins while it still works. When the
  /// renewer stops, all leases are released together.
  private void ended(Lease lease) {
    if (stopping) {
      return;
    }
    try {
      database.transact(tx -> store.release(tx, lease));
    } catch (RuntimeException e) {
      LOG.info(
          "{}/{} was not released and will expire: {}", lease.work(), lease.group(), e.toString());
    }
  }

  private void releaseAll() {
    works.forEach(HeldLeases::end);
    works.forEach(HeldLeases::awaitEnd);
    try {
      database.transact(tx -> store.releaseAll(tx));
    } catch (RuntimeException e) {
      LOG.info("the leases were not released and will expire: {}", e.toString());
    }
  }
}
