package dev.torg.platform.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.job.JobScheduler;
import dev.torg.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeaseCoordinatorIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration A_WHILE = Duration.ofMillis(20);

  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("platform", Migrations.of("platform")::migrate);

  private final Database database = Database.connect(DATABASE.url(), 10);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void work_alone_holdsEveryGroup() {
    try (LeaseCoordinator leases = new LeaseCoordinator(database)) {
      leases.work("alone", lease -> () -> A_WHILE);
      await().atMost(TIMEOUT).until(() -> leases.held("alone").size() == Home.GROUPS);
    }
  }

  @Test
  void work_newcomers_eachGetsItsShare() {
    try (LeaseCoordinator first = new LeaseCoordinator(database);
        LeaseCoordinator second = new LeaseCoordinator(database);
        LeaseCoordinator third = new LeaseCoordinator(database)) {
      first.work("shared", lease -> () -> A_WHILE);
      await().atMost(TIMEOUT).until(() -> first.held("shared").size() == Home.GROUPS);
      second.work("shared", lease -> () -> A_WHILE);
      third.work("shared", lease -> () -> A_WHILE);
      await()
          .atMost(TIMEOUT)
          .untilAsserted(
              () -> {
                List<Integer> sizes =
                    List.of(first, second, third).stream()
                        .map(leases -> leases.held("shared").size())
                        .toList();
                assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(16);
                assertThat(sizes).allMatch(size -> size >= 4 && size <= 6);
              });
    }
  }

  @Test
  void close_releasesTheLeasesToTheOtherAtOnce() {
    try (LeaseCoordinator staying = new LeaseCoordinator(database)) {
      LeaseCoordinator leaving = new LeaseCoordinator(database);
      leaving.work("closing", lease -> () -> A_WHILE);
      await().atMost(TIMEOUT).until(() -> leaving.held("closing").size() == Home.GROUPS);
      staying.work("closing", lease -> () -> A_WHILE);
      leaving.close();
      await()
          .atMost(Duration.ofSeconds(6))
          .until(() -> staying.held("closing").size() == Home.GROUPS);
    }
  }

  @Test
  void close_waitsForTheStepInProgress() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    LeaseCoordinator leases = new LeaseCoordinator(database);
    leases.work(
        "waiting",
        lease ->
            () -> {
              running.incrementAndGet();
              started.countDown();
              database.read(tx -> tx.sql("SELECT pg_sleep(0.2)").first(row -> true));
              running.decrementAndGet();
              return Duration.ZERO;
            });
    started.await();
    leases.close();
    assertThat(running).hasValue(0);
  }

  @Test
  void check_afterATakeover_failsAndKeepsNothing() {
    AtomicReference<Lease> received = new AtomicReference<>();
    try (LeaseCoordinator leases = new LeaseCoordinator(database)) {
      leases.work("fenced", recordFirst(received));
      await().atMost(TIMEOUT).until(() -> received.get() != null);
      takeOver("fenced", received.get().group());
      assertThatThrownBy(() -> writeUnder(received.get())).isInstanceOf(LeaseLost.class);
    }
  }

  @Test
  void step_fails_isClosedAndRestarted() {
    Set<Integer> closed = ConcurrentHashMap.newKeySet();
    Map<Integer, Integer> started = new ConcurrentHashMap<>();
    try (LeaseCoordinator leases = new LeaseCoordinator(database)) {
      leases.work(
          "failing",
          lease -> {
            started.merge(lease.group(), 1, Integer::sum);
            return failingOnce(started.get(lease.group()), () -> closed.add(lease.group()));
          });
      await()
          .atMost(TIMEOUT)
          .until(() -> started.values().stream().filter(n -> n >= 2).count() == 16);
      assertThat(closed).hasSize(16);
    }
  }

  @Test
  void wake_endsTheWait() {
    AtomicReference<Lease> received = new AtomicReference<>();
    AtomicInteger runs = new AtomicInteger();
    try (LeaseCoordinator leases = new LeaseCoordinator(database)) {
      leases.work(
          "woken",
          lease -> {
            received.compareAndSet(null, lease);
            return () -> {
              if (lease == received.get()) {
                runs.incrementAndGet();
              }
              return Duration.ofHours(1);
            };
          });
      await().atMost(TIMEOUT).until(() -> runs.get() == 1);
      received.get().wake();
      await().atMost(TIMEOUT).until(() -> runs.get() == 2);
    }
  }

  @Test
  void jobs_every_runsInEachGroupWithTheGivenTime() {
    Instant noon = Instant.parse("2030-01-01T12:00:00Z");
    Map<Integer, Instant> ran = new ConcurrentHashMap<>();
    try (LeaseCoordinator leases = new LeaseCoordinator(database)) {
      JobScheduler jobs = new JobScheduler(leases, InstantSource.fixed(noon));
      jobs.every(
          Duration.ofHours(1),
          "noting",
          (lease, now) -> {
            lease.homes().forEach(home -> ran.put(home.number(), now));
            return false;
          });
      await().atMost(TIMEOUT).until(() -> ran.size() == Home.COUNT);
      assertThat(ran.values()).containsOnly(noon);
    }
  }

  /// Longer than a lease is valid: the others' renewal must not wait for this row's lock.
  @Tag("skip-fake-citus")
  @Test
  void renew_oneStepHoldsItsRow_keepsAllOthers() {
    AtomicReference<Lease> slow = new AtomicReference<>();
    CountDownLatch finished = new CountDownLatch(1);
    try (LeaseCoordinator leases = new LeaseCoordinator(database)) {
      leases.work(
          "slow",
          lease -> {
            slow.compareAndSet(null, lease);
            return () -> {
              if (lease == slow.get()) {
                holdRow(lease, Duration.ofSeconds(10));
                finished.countDown();
              }
              return Duration.ofHours(1);
            };
          });
      leases.work("other", lease -> () -> Duration.ofHours(1));
      await().atMost(TIMEOUT).until(() -> leases.held("other").size() == Home.GROUPS);
      await()
          .atMost(TIMEOUT)
          .failFast(() -> leases.held("other").size() < Home.GROUPS)
          .failFast(() -> leases.held("slow").size() < Home.GROUPS - 1)
          .until(() -> finished.getCount() == 0);
    }
  }

  @Tag("skip-fake-citus")
  @Test
  void renew_poolOfTheStepsUsedUp_keepsTheLeases() throws Exception {
    try (Database reserve = Database.connect(DATABASE.url(), 2);
        LeaseCoordinator leases = new LeaseCoordinator(reserve)) {
      leases.work("reserved", lease -> () -> Duration.ofHours(1));
      await().atMost(TIMEOUT).until(() -> leases.held("reserved").size() == Home.GROUPS);
      List<Connection> all = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        all.add(database.dataSource().getConnection());
      }
      await()
          .during(Lease.TTL.plusSeconds(1))
          .atMost(TIMEOUT)
          .until(() -> leases.held("reserved").size() == Home.GROUPS);
      for (Connection connection : all) {
        connection.close();
      }
    }
  }

  @Test
  void jobs_everyWithDue_runsOnlyWhereSomethingIsDue() {
    Set<Home> due = ConcurrentHashMap.newKeySet();
    Set<Integer> ran = ConcurrentHashMap.newKeySet();
    AtomicInteger polls = new AtomicInteger();
    try (LeaseCoordinator leases = new LeaseCoordinator(database)) {
      new JobScheduler(leases, InstantSource.system())
          .every(
              A_WHILE,
              "due",
              (homes, now) -> {
                polls.incrementAndGet();
                return homes.stream().filter(due::contains).toList();
              },
              (lease, now) -> {
                ran.add(lease.group());
                return false;
              });
      await().atMost(TIMEOUT).until(() -> polls.get() > 5);
      assertThat(ran).isEmpty();
      due.add(new Home(3));
      due.add(new Home(3 + Home.GROUPS));
      due.add(new Home(7));
      await().atMost(TIMEOUT).until(() -> ran.size() == 2);
      assertThat(ran).containsOnly(3, 7);
    }
  }

  @Test
  void jobs_manyGroupsAtOnce_runInTurn() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger maxConcurrent = new AtomicInteger();
    AtomicInteger ran = new AtomicInteger();
    try (LeaseCoordinator leases = new LeaseCoordinator(database)) {
      JobScheduler jobs = new JobScheduler(leases, InstantSource.system());
      for (String name : List.of("crowd-a", "crowd-b", "crowd-c")) {
        jobs.every(
            Duration.ofHours(1),
            name,
            (lease, now) -> {
              maxConcurrent.accumulateAndGet(running.incrementAndGet(), Math::max);
              database.read(tx -> tx.sql("SELECT pg_sleep(0.02)").first(row -> true));
              running.decrementAndGet();
              ran.incrementAndGet();
              return false;
            });
      }
      await().atMost(TIMEOUT).until(() -> ran.get() == 3 * Home.GROUPS);
      assertThat(maxConcurrent.get()).isLessThanOrEqualTo(8);
    }
  }

  private void holdRow(Lease lease, Duration time) {
    database.inTransaction(
        tx -> {
          lease.check(tx);
          return tx.sql("SELECT pg_sleep(?)").set((int) time.toSeconds()).first(row -> true);
        });
  }

  private static LeasedWork recordFirst(AtomicReference<Lease> received) {
    return lease -> {
      received.compareAndSet(null, lease);
      return () -> Duration.ofHours(1);
    };
  }

  private static LeaseStep failingOnce(int time, Runnable onClose) {
    return new LeaseStep() {
      @Override
      public Duration run() {
        if (time == 1) {
          throw new IllegalStateException("the first time always fails");
        }
        return Duration.ofHours(1);
      }

      @Override
      public void close() {
        onClose.run();
      }
    };
  }

  private void takeOver(String work, int group) {
    database.inTransaction(
        tx ->
            tx.sql(
                    """
                    UPDATE lease SET owner = 'rival', epoch = epoch + 1
                    WHERE work = ? AND homes_group = ?
                    """)
                .set(work)
                .set(group)
                .update());
  }

  private int writeUnder(Lease lease) {
    return database.inTransaction(
        tx -> {
          lease.check(tx);
          return tx.sql("DELETE FROM lease").update();
        });
  }
}
