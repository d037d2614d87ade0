package dev.torg.platform.lease;

import dev.torg.platform.Backoff;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the steps of one lease on a virtual thread until the lease ends. After a failure the step
/// is closed and started again after an exponential backoff.
final class LeaseRunner {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRunner.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  private final Lease lease;
  private final LeasedWork work;
  private final Consumer<Lease> onEnd;
  private final Thread thread;
  private int failures;

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

  /// Runs from the beginning of a step to its next failure or the end of the lease.
  private void runOnce() throws InterruptedException {
    LeaseStep step = null;
    try {
      step = work.begin(lease);
      while (lease.isValid()) {
        Duration idle = step.run();
        failures = 0;
        if (idle.isPositive() && lease.isValid()) {
          lease.sleep(idle);
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
    Duration delay = BACKOFF.after(++failures);
    if (failures == 1) {
      LOG.warn("{}/{} failed, retry in {}", lease.work(), lease.group(), delay, e);
    } else {
      LOG.warn("{}/{} failed, retry in {}: {}", lease.work(), lease.group(), delay, e.toString());
    }
    lease.backOff(delay);
  }

  private void close(@Nullable LeaseStep step) {
    try {
      if (step != null) {
        step.close();
      }
    } catch (Exception e) {
      LOG.warn("{}/{} did not close cleanly", lease.work(), lease.group(), e);
    }
  }
}
