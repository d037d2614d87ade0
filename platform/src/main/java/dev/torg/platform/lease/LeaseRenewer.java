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

/// Keeps all leases of this process: every three seconds, and when somebody else's lease may have run
/// out, one short transaction says that we are here, renews what we hold and takes what is free up to
/// our share of each work. What we hold above it is given back between two steps.
///
/// A row that one of our own steps has locked is passed over and renewed a moment later: nobody can
/// take it meanwhile, and the others' renewal must not wait for it.
final class LeaseRenewer {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewer.class);

  /// Two chances to renew within a lease's eight seconds; one that fails is repeated soon.
  private static final Duration RENEW_INTERVAL = Duration.ofSeconds(3);

  /// Lets several leases that run out together be taken together.
  private static final Duration TAKEOVER_DELAY = Duration.ofMillis(20);

  private static final Duration BUSY_RETRY_DELAY = Duration.ofMillis(300);
  private static final Duration FAILURE_RETRY_DELAY = Duration.ofMillis(500);

  private final Database database;
  private final String owner;
  private final LeaseStore store;
  private final List<HeldLeases> works = new CopyOnWriteArrayList<>();
  private final Set<String> created = new HashSet<>();
  private final Semaphore news = new Semaphore(0);
  private final Thread thread = Thread.ofVirtual().name("leases").unstarted(this::keep);
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
    news.release();
  }

  void stop() {
    stopping = true;
    news.release();
  }

  void awaitEnd() {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void keep() {
    Duration rest = Duration.ZERO;
    while (!stopped(rest)) {
      try {
        rest = renewAll();
      } catch (RuntimeException | Error e) {
        LOG.warn("cannot renew the leases: {}", e.toString());
        rest = FAILURE_RETRY_DELAY;
      }
    }
    giveAllBack();
  }

  /// Rests until it is time again or there is other work; whether all is to end.
  private boolean stopped(Duration rest) {
    try {
      if (news.tryAcquire(rest.toMillis(), TimeUnit.MILLISECONDS)) {
        news.drainPermits();
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
    long askedAt = System.nanoTime();
    Renewal round = database.inTransaction(tx -> round(tx, all, held));
    held.forEach(lease -> applyRenewal(lease, round, askedAt));
    all.forEach(work -> begin(work, round, askedAt));
    all.forEach(work -> work.releaseAbove(round.share(work)));
    return round.delay();
  }

  private void create(List<HeldLeases> all) {
    List<String> fresh =
        all.stream().map(HeldLeases::name).filter(name -> !created.contains(name)).toList();
    if (!fresh.isEmpty()) {
      database.inTransaction(
          tx -> {
            store.create(tx, fresh);
            return true;
          });
      created.addAll(fresh);
    }
  }

  /// What one transaction found and changed; epochs by lease.
  private record Renewal(
      Map<String, Integer> shares,
      Map<LeaseId, Long> renewed,
      Map<LeaseId, Long> busy,
      Map<LeaseId, Long> taken,
      Duration delay) {
    int share(HeldLeases work) {
      return shares.getOrDefault(work.name(), Home.GROUPS);
    }
  }

  private Renewal round(Tx tx, List<HeldLeases> all, List<Lease> held) throws SQLException {
    List<String> names = all.stream().map(HeldLeases::name).toList();
    Map<String, Integer> members = store.join(tx, names);
    Map<LeaseId, Long> renewed = store.renew(tx, held);
    List<Lease> missing = held.stream().filter(lease -> !renewed.containsKey(lease.id())).toList();
    Map<LeaseId, Long> busy = store.stillOurs(tx, missing);
    Map<String, Integer> shares = new HashMap<>();
    Map<LeaseId, Long> taken = new HashMap<>();
    for (HeldLeases work : all) {
      int share = Math.ceilDiv(Home.GROUPS, Math.max(1, members.getOrDefault(work.name(), 1)));
      shares.put(work.name(), share);
      Set<Integer> mine = work.groups();
      taken.putAll(store.take(tx, work.name(), share - mine.size(), mine));
    }
    Duration next =
        store.untilNextEnd(tx, names, RENEW_INTERVAL.minus(TAKEOVER_DELAY)).plus(TAKEOVER_DELAY);
    boolean soon = !busy.isEmpty() && next.compareTo(BUSY_RETRY_DELAY) > 0;
    return new Renewal(shares, renewed, busy, taken, soon ? BUSY_RETRY_DELAY : next);
  }

  private static void applyRenewal(Lease lease, Renewal round, long askedAt) {
    if (round.renewed().getOrDefault(lease.id(), -1L) == lease.epoch()) {
      lease.renewed(askedAt);
    } else if (!round.busy().containsKey(lease.id())) {
      LOG.info("{}/{} was taken over", lease.work(), lease.group());
      lease.end();
    }
  }

  private void begin(HeldLeases work, Renewal round, long askedAt) {
    round
        .taken()
        .forEach(
            (id, epoch) -> {
              if (id.work().equals(work.name())) {
                work.begin(new Lease(id.work(), id.group(), owner, epoch, askedAt), this::ended);
              }
            });
  }

  /// Called by the runner when its last step is over, so nobody else begins while it still works. At
  /// the end of all they go back together.
  private void ended(Lease lease) {
    if (stopping) {
      return;
    }
    try {
      database.inTransaction(
          tx -> {
            store.release(tx, lease);
            return true;
          });
    } catch (RuntimeException e) {
      LOG.info(
          "{}/{} was not given back, it runs out: {}", lease.work(), lease.group(), e.toString());
    }
  }

  private void giveAllBack() {
    works.forEach(HeldLeases::end);
    works.forEach(HeldLeases::awaitEnd);
    try {
      database.inTransaction(
          tx -> {
            store.releaseAll(tx);
            return true;
          });
    } catch (RuntimeException e) {
      LOG.info("the leases were not given back, they run out: {}", e.toString());
    }
  }
}
