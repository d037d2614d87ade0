package dev.torg.platform.lease;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the steps of one lease on a virtual thread until the lease ends. After a failure the step
/// is closed and begun again, later each time it fails again.
final class LeaseRunner {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRunner.class);
  private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
  private static final Duration MAX_BACKOFF = Duration.ofSeconds(5);

  private final Lease lease;
  private final LeasedWork work;
  private final Consumer<Lease> onEnd;
  private final Thread thread;
  private Duration backoff = FIRST_BACKOFF;

  LeaseRunner(Lease lease, LeasedWork work, Consumer<Lease> onEnd) {
    this.lease = lease;
    this.work = work;
    this.onEnd = onEnd;
    this.thread =
        Thread.ofVirtual().name(lease.work() + "-" + lease.group()).unstarted(this::runAll);
  }

  Lease lease() {
    return lease;
  }

  void start() {
    thread.start();
  }

  void awaitEnd() {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void runAll() {
    try {
      while (lease.isValid()) {
        runOnce();
      }
    } catch (InterruptedException e) {
      LOG.debug("interrupted", e);
    } finally {
      lease.end();
      onEnd.accept(lease);
    }
  }

  /// From one beginning to the next failure or the end.
  private void runOnce() throws InterruptedException {
    LeaseStep step = null;
    try {
      step = work.begin(lease);
      while (lease.isValid()) {
        Duration rest = step.run();
        backoff = FIRST_BACKOFF;
        if (rest.isPositive() && lease.isValid()) {
          lease.sleep(rest);
        }
      }
    } catch (LeaseLost e) {
      LOG.info("{}", e.getMessage());
      lease.end();
    } catch (Exception e) {
      failed(e);
    } finally {
      close(step);
    }
  }

  private void failed(Exception e) throws InterruptedException {
    if (e instanceof InterruptedException interrupted) {
      throw interrupted;
    }
    if (backoff.equals(FIRST_BACKOFF)) {
      LOG.warn("{}/{} failed, again in {}", lease.work(), lease.group(), backoff, e);
    } else {
      LOG.warn("{}/{} failed, again in {}: {}", lease.work(), lease.group(), backoff, e.toString());
    }
    lease.backOff(backoff);
    backoff = min(backoff.multipliedBy(2), MAX_BACKOFF);
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void close(@Nullable LeaseStep step) {
    try {
      if (step != null) {
        step.close();
      }
    } catch (Exception e) {
      LOG.warn("{}/{} did not close", lease.work(), lease.group(), e);
    }
  }
}
