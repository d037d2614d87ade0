package dev.torg.platform.lease;

import dev.torg.platform.Backoff;
import dev.torg.platform.db.Database;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// This process's share of the background work that all processes do together.
///
///     leases.work("relay", relay);
///
/// Each process holds at most its share of the 16 groups, so a new process gets its own within two renewals; a
/// process that dies loses its share when its leases expire, eight seconds after the last renewal; one that
/// closes releases it immediately.
///
/// Renewals need a connection within seconds under any load: the database given here should not be the pool
/// that requests and steps use.
public final class LeaseCoordinator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseCoordinator.class);

  /// How much longer the interval of a due query becomes on distributed tables while nothing is due: it queries every
  /// shard.
  private static final int MAX_DISTRIBUTED_IDLE_FACTOR = 4;

  private final Database database;
  private final String owner;
  private final LeaseRenewer renewer;
  private final Map<String, HeldLeases> works = new ConcurrentHashMap<>();
  private final CountDownLatch stopping = new CountDownLatch(1);

  public LeaseCoordinator(Database database) {
    this(database, "%d-%s".formatted(ProcessHandle.current().pid(), UUID.randomUUID()));
  }

  /// The owner's name must be one that no other process has or had.
  public LeaseCoordinator(Database database, String owner) {
    this.database = database;
    this.owner = owner;
    this.renewer = new LeaseRenewer(database, owner);
  }

  public String owner() {
    return owner;
  }

  /// Joins the named work.
  public synchronized void work(String name, LeasedWork work) {
    HeldLeases held = new HeldLeases(name, work);
    if (works.isEmpty()) {
      renewer.start();
    }
    works.put(name, held);
    renewer.add(held);
  }

  /// The same for work that is mostly idle: one query per interval finds for all of its leases which steps
  /// shall run; the steps themselves may sleep long. On distributed tables the interval grows while nothing is due.
  public void work(String name, LeasedWork work, Duration interval, DueLeasesQuery due) {
    work(name, work);
    Thread.ofVirtual().name("due-" + name).start(() -> pollLoop(name, interval, due));
  }

  private void pollLoop(String name, Duration interval, DueLeasesQuery due) {
    boolean failed = false;
    Backoff pause = new Backoff(interval, interval);
    int idlePolls = 0;
    while (!stopped(pause.after(idlePolls))) {
      try {
        pause = new Backoff(interval, maxInterval(interval));
        List<Lease> held = leases(name);
        Collection<Lease> dueLeases = held.isEmpty() ? List.of() : due.find(held);
        dueLeases.forEach(Lease::wake);
        idlePolls = dueLeases.isEmpty() ? idlePolls + 1 : 0;
        failed = false;
      } catch (Exception e) {
        if (!failed) {
          LOG.warn("cannot query the due work of {}: {}", name, e.toString());
        }
        failed = true;
      }
    }
  }

  private Duration maxInterval(Duration interval) {
    return database.isDistributed() ? interval.multipliedBy(MAX_DISTRIBUTED_IDLE_FACTOR) : interval;
  }

  private boolean stopped(Duration delay) {
    try {
      return stopping.await(delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  /// The groups of the named work that this process holds now.
  public List<Integer> held(String name) {
    return leases(name).stream().map(Lease::group).sorted().toList();
  }

  private List<Lease> leases(String name) {
    HeldLeases work = works.get(name);
    return work == null ? List.of() : work.held();
  }

  /// Waits for every step to end, then releases the leases.
  @Override
  public synchronized void close() {
    stopping.countDown();
    if (!works.isEmpty()) {
      renewer.stop();
      renewer.awaitEnd();
    }
  }
}
