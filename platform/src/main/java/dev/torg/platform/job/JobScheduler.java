package dev.torg.platform.job;

import dev.torg.platform.Home;
import dev.torg.platform.lease.Lease;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.lease.LeaseStep;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

/// Runs recurring jobs for every group of homes, each group in one process at a time. The injected clock
/// decides what is due; intervals are real time.
///
/// Hundreds of groups of jobs can have something to do at the same time; a few of them run concurrently and the
/// others queue, so that connections are left for requests.
public final class JobScheduler {
  private static final int MAX_CONCURRENT_JOBS = 8;

  /// How long a group sleeps for which nothing was found to be due, in case the due query fails.
  private static final Duration MAX_IDLE_TIME = Duration.ofMinutes(10);

  private final LeaseCoordinator leases;
  private final InstantSource clock;
  private final Duration head;
  private final Semaphore permits = new Semaphore(MAX_CONCURRENT_JOBS, true);

  public JobScheduler(LeaseCoordinator leases, InstantSource clock) {
    this(leases, clock, Duration.ZERO);
  }

  /// @param head how long the first run is delayed after a lease was acquired: a starting process has
  ///     more urgent work
  public JobScheduler(LeaseCoordinator leases, InstantSource clock, Duration head) {
    this.leases = leases;
    this.clock = clock;
    this.head = head;
  }

  /// Runs the job in each group once an interval, and again immediately while it reports that there is more.
  public void every(Duration interval, String name, Job job) {
    Duration startDelay = head.compareTo(interval) < 0 ? head : interval;
    leases.work("job." + name, lease -> new JobStep(job, lease, startDelay, interval, permits));
  }

  /// Runs the due query once an interval for all groups together, and the job where something is due.
  public void every(Duration interval, String name, DueHomesQuery dueHomes, Job job) {
    every(interval, name, dueHomes, job, permits);
  }

  /// As the former, with a limit of its own instead of the common one: for bulk work, so that its groups neither take all
  /// places nor wait for them.
  ///
  /// @param maxConcurrent groups that run concurrently
  public void everyBulk(
      Duration interval, String name, DueHomesQuery dueHomes, Job job, int maxConcurrent) {
    every(interval, name, dueHomes, job, new Semaphore(maxConcurrent, true));
  }

  private void every(
      Duration interval, String name, DueHomesQuery dueHomes, Job job, Semaphore places) {
    leases.work(
        "job." + name,
        lease -> new JobStep(job, lease, MAX_IDLE_TIME, MAX_IDLE_TIME, places),
        interval,
        held -> due(dueHomes, held));
  }

  /// The runs of one group, with a delay before the first one.
  private final class JobStep implements LeaseStep {
    private final Job job;
    private final Lease lease;
    private final Duration idleTime;
    private final Semaphore places;
    private Duration startDelay;

    private JobStep(
        Job job, Lease lease, Duration startDelay, Duration idleTime, Semaphore places) {
      this.places = places;
      this.job = job;
      this.lease = lease;
      this.startDelay = startDelay;
      this.idleTime = idleTime;
    }

    @Override
    public Duration run() throws Exception {
      if (startDelay.isPositive()) {
        Duration delay = startDelay;
        startDelay = Duration.ZERO;
        return delay;
      }
      places.acquire();
      try {
        return job.run(lease, clock.instant()) ? Duration.ZERO : idleTime;
      } finally {
        places.release();
      }
    }
  }

  private Collection<Lease> due(DueHomesQuery dueHomes, List<Lease> held) throws Exception {
    Instant now = clock.instant();
    List<Home> homes = held.stream().flatMap(lease -> lease.homes().stream()).toList();
    Set<Integer> groups =
        dueHomes.find(homes, now).stream().map(Home::group).collect(Collectors.toSet());
    return held.stream().filter(lease -> groups.contains(lease.group())).toList();
  }
}
