package dev.torg.platform.lease;

import dev.torg.platform.Home;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

/// Runs recurring jobs for every group of homes, each group in one process at a time. What is due
/// is decided by the injected clock; the pace is real time.
///
/// Hundreds of groups of jobs can have something to do at the same moment; only a few of them run at
/// once, in turn, so that they leave the connections to the requests.
public final class Jobs {
  private static final int AT_ONCE = 8;

  /// How long a group rests for which nothing was found to be due, should the finding fail.
  private static final Duration LONGEST_REST = Duration.ofMinutes(10);

  private final Leases leases;
  private final InstantSource clock;
  private final Duration head;
  private final Semaphore turns = new Semaphore(AT_ONCE, true);

  public Jobs(Leases leases, InstantSource clock) {
    this(leases, clock, Duration.ZERO);
  }

  /// @param head how long after a lease was taken its first run waits: a process that starts has
  ///     better to do
  public Jobs(Leases leases, InstantSource clock, Duration head) {
    this.leases = leases;
    this.clock = clock;
    this.head = head;
  }

  /// Runs the job in each group once an interval, and again at once while it says there is more.
  public void every(Duration interval, String name, Job job) {
    Duration first = head.compareTo(interval) < 0 ? head : interval;
    leases.work("job." + name, lease -> new Turns(job, lease, first, interval));
  }

  /// Looks once an interval, in all groups together, where something is due, and runs the job there.
  public void every(Duration interval, String name, Due due, Job job) {
    leases.work(
        "job." + name,
        lease -> new Turns(job, lease, LONGEST_REST, LONGEST_REST),
        interval,
        held -> due(due, held));
  }

  /// The runs of one group, with a rest before the first one.
  private final class Turns implements Step {
    private final Job job;
    private final Lease lease;
    private final Duration rest;
    private Duration before;

    private Turns(Job job, Lease lease, Duration before, Duration rest) {
      this.job = job;
      this.lease = lease;
      this.before = before;
      this.rest = rest;
    }

    @Override
    public Duration run() throws Exception {
      if (before.isPositive()) {
        Duration first = before;
        before = Duration.ZERO;
        return first;
      }
      turns.acquire();
      try {
        return job.run(lease, clock.instant()) ? Duration.ZERO : rest;
      } finally {
        turns.release();
      }
    }
  }

  private Collection<Lease> due(Due due, List<Lease> held) throws Exception {
    Instant now = clock.instant();
    List<Home> homes = held.stream().flatMap(lease -> lease.homes().stream()).toList();
    Set<Integer> groups = due.in(homes, now).stream().map(Home::group).collect(Collectors.toSet());
    return held.stream().filter(lease -> groups.contains(lease.group())).toList();
  }
}
