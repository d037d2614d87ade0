package dev.torg.platform.lease;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the leases of one kind of work: every three seconds, and when somebody else's lease may
/// have run out, one short transaction says that we are here, renews what we hold and takes what is
/// free up to our share. What we hold above it is given back between two steps.
final class LeaseKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

  /// Two chances to renew within a lease's eight seconds; one that fails is repeated soon.
  private static final Duration RENEWAL = Duration.ofSeconds(3);

  /// Lets several leases that run out together be taken together.
  private static final Duration AFTER_END = Duration.ofMillis(20);

  private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

  private final Database database;
  private final String work;
  private final LeaseStore store;
  private final LeasedWork leasedWork;
  private final String owner;
  private final Map<Integer, LeaseRunner> runners = new ConcurrentHashMap<>();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread;

  LeaseKeeper(Database database, String work, String owner, LeasedWork leasedWork) {
    this.database = database;
    this.work = work;
    this.owner = owner;
    this.leasedWork = leasedWork;
    this.store = new LeaseStore(work, owner);
    this.thread = Thread.ofVirtual().name("lease-" + work).unstarted(this::keep);
  }

  void start() {
    thread.start();
  }

  String work() {
    return work;
  }

  List<Lease> held() {
    return runners.values().stream().map(LeaseRunner::lease).filter(Lease::isValid).toList();
  }

  void stop() {
    stopping.countDown();
  }

  void awaitEnd() {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void keep() {
    boolean created = false;
    Duration rest = Duration.ZERO;
    while (!stopped(rest)) {
      try {
        if (!created) {
          database.inTransaction(this::create);
          created = true;
        }
        rest = tick();
      } catch (RuntimeException e) {
        LOG.warn("cannot renew the leases of {}", work, e);
        rest = AFTER_FAILURE;
      }
    }
    giveAllBack();
  }

  private boolean stopped(Duration rest) {
    try {
      return stopping.await(rest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  private Duration tick() {
    List<Lease> held = held();
    long askedAt = System.nanoTime();
    Round round = database.inTransaction(tx -> round(tx, held));
    for (Lease lease : held) {
      if (round.renewed().getOrDefault(lease.group(), -1L) == lease.epoch()) {
        lease.renewed(askedAt);
      } else {
        LOG.info("{}/{} was taken over", work, lease.group());
        lease.end();
      }
    }
    round.taken().forEach((group, epoch) -> begin(group, epoch, askedAt));
    giveBackAbove(round.share());
    return round.rest();
  }

  private record Round(
      int share, Map<Integer, Long> renewed, Map<Integer, Long> taken, Duration rest) {}

  private Round round(Tx tx, List<Lease> held) throws SQLException {
    int share = Math.ceilDiv(Home.GROUPS, Math.max(1, store.join(tx)));
    Map<Integer, Long> renewed = store.renew(tx, held);
    Map<Integer, Long> taken = store.take(tx, share - runners.size(), runners.keySet());
    Duration rest = store.untilNextEnd(tx, RENEWAL.minus(AFTER_END)).plus(AFTER_END);
    return new Round(share, renewed, taken, rest);
  }

  private boolean create(Tx tx) throws SQLException {
    store.create(tx);
    return true;
  }

  private void begin(int group, long epoch, long askedAt) {
    Lease lease = new Lease(work, group, owner, epoch, askedAt);
    LeaseRunner runner = new LeaseRunner(lease, leasedWork, this::ended);
    runners.put(group, runner);
    runner.start();
  }

  private void giveBackAbove(int share) {
    List<Lease> held = held();
    held.stream()
        .sorted(Comparator.comparing(Lease::group).reversed())
        .limit(Math.max(0, held.size() - share))
        .forEach(Lease::end);
  }

  /// Called by the runner when its last step is over, so nobody else begins while it still works.
  private void ended(Lease lease) {
    runners.remove(lease.group());
    try {
      database.inTransaction(
          tx -> {
            store.release(tx, lease);
            return true;
          });
    } catch (RuntimeException e) {
      LOG.info("{}/{} was not given back, it runs out: {}", work, lease.group(), e.toString());
    }
  }

  private void giveAllBack() {
    List<LeaseRunner> last = List.copyOf(runners.values());
    last.forEach(runner -> runner.lease().end());
    last.forEach(LeaseRunner::awaitEnd);
    try {
      database.inTransaction(
          tx -> {
            store.leave(tx);
            return true;
          });
    } catch (RuntimeException e) {
      LOG.info("did not sign off from {}: {}", work, e.toString());
    }
  }
}
