package dev.torg.platform.lease;

import dev.torg.platform.db.Database;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// This process's part in the background work that all processes share.
///
///     leases.work("relay", relay);
///
/// Each process holds at most its share of the 16 groups, so a newcomer gets its own within two
/// renewals; a process that dies leaves its share to the others when its leases run out, eight
/// seconds after it last renewed them; one that closes leaves it at once.
///
/// Renewals need a connection within seconds, whatever else goes on: the database given here should
/// not be the pool that requests and steps use up.
public final class LeaseCoordinator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseCoordinator.class);

  private final String owner;
  private final LeaseRenewer keeper;
  private final Map<String, HeldLeases> works = new ConcurrentHashMap<>();
  private final CountDownLatch stopping = new CountDownLatch(1);

  public LeaseCoordinator(Database database) {
    this(database, "%d-%s".formatted(ProcessHandle.current().pid(), UUID.randomUUID()));
  }

  /// The owner's name must be one that no other process has or had.
  public LeaseCoordinator(Database database, String owner) {
    this.owner = owner;
    this.keeper = new LeaseRenewer(database, owner);
  }

  public String owner() {
    return owner;
  }

  /// Takes part in the named work from now on.
  public synchronized void work(String name, LeasedWork work) {
    HeldLeases held = new HeldLeases(name, work);
    if (works.isEmpty()) {
      keeper.start();
    }
    works.put(name, held);
    keeper.add(held);
  }

  /// The same for work that mostly has nothing to do: once an interval a look at all of its leases
  /// tells which steps shall run; the steps themselves may rest long.
  public void work(String name, LeasedWork work, Duration interval, DueLeasesQuery look) {
    work(name, work);
    Thread.ofVirtual().name("look-" + name).start(() -> pollLoop(name, interval, look));
  }

  private void pollLoop(String name, Duration interval, DueLeasesQuery look) {
    boolean failed = false;
    while (!stopped(interval)) {
      try {
        List<Lease> held = leases(name);
        if (!held.isEmpty()) {
          look.find(held).forEach(Lease::wake);
        }
        failed = false;
      } catch (Exception e) {
        if (!failed) {
          LOG.warn("cannot see what there is to do for {}: {}", name, e.toString());
        }
        failed = true;
      }
    }
  }

  private boolean stopped(Duration rest) {
    try {
      return stopping.await(rest.toNanos(), TimeUnit.NANOSECONDS);
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

  /// Lets every step come to its end, then gives the leases back.
  @Override
  public synchronized void close() {
    stopping.countDown();
    if (!works.isEmpty()) {
      keeper.stop();
      keeper.awaitEnd();
    }
  }
}
