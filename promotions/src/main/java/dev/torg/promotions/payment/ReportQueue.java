package dev.torg.promotions.payment;

import dev.torg.platform.Home;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Processes reports soon after they were stored, in batches of everything that has arrived meanwhile. Nothing depends on
/// it: a report that finds the queue full, fails, or is lost with the process is processed by a job.
final class ReportQueue implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReportQueue.class);
  private static final int LANES = 2;
  private static final int MAX_BATCH = 256;

  /// About a second of work.
  private static final int LANE_CAPACITY = 10_000;

  private static final long POLL_MILLIS = 200;

  private final PaymentProcessor processor;
  private final List<Lane> lanes;
  private volatile boolean closed;

  ReportQueue(PaymentProcessor processor) {
    this.processor = processor;
    this.lanes = IntStream.range(0, LANES).mapToObj(Lane::new).toList();
  }

  /// Never blocks.
  void add(PaymentReport report) {
    Home home = report.payment().home();
    if (!closed && !lanes.get(home.number() % LANES).queue.offer(report)) {
      LOG.debug("the queue is full: {} is left to the job", report.cause());
    }
  }

  /// Ends after the batches in progress.
  @Override
  public void close() {
    closed = true;
    lanes.forEach(Lane::awaitEnd);
  }

  private final class Lane {
    private final BlockingQueue<PaymentReport> queue = new ArrayBlockingQueue<>(LANE_CAPACITY);
    private final Thread thread;

    Lane(int number) {
      this.thread = Thread.ofVirtual().name("payment-reports-" + number).start(this::runAll);
    }

    private void runAll() {
      try {
        while (!closed) {
          PaymentReport first = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
          if (first != null) {
            List<PaymentReport> batch = new ArrayList<>(List.of(first));
            queue.drainTo(batch, MAX_BATCH - 1);
            process(batch);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /// One report that fails must not delay the others.
    private void process(List<PaymentReport> batch) {
      try {
        processor.process(batch);
      } catch (RuntimeException e) {
        LOG.warn("a batch of {} reports failed", batch.size(), e);
        if (batch.size() > 1) {
          batch.forEach(report -> process(List.of(report)));
        }
      }
    }

    void awaitEnd() {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
