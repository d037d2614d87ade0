package dev.torg.notifications.dispatch;

import dev.torg.notifications.operation.OutcomeRecorder;
import dev.torg.notifications.operation.SentMessage;
import dev.torg.platform.Backoff;
import dev.torg.platform.Failure;
import dev.torg.platform.db.CommitUnknown;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records outcomes in batches on one thread: what gathers while a batch is written is the next one. A batch that could
/// not be written is written again; recording twice changes nothing.
///
/// It does not grow without bounds: while the database is unavailable nothing is claimed either.
final class OutcomeQueue implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutcomeQueue.class);
  private static final int MAX_BATCH_MESSAGES = 2_000;
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  /// Attempts to write a batch when the process ends.
  private static final int MAX_FAILURES_AT_END = 5;

  /// How long a login merge is waited for.
  private static final Duration MAX_MERGE_WAIT = Duration.ofMinutes(1);

  private static final Duration POLL = Duration.ofSeconds(1);

  private final OutcomeRecorder recorder;
  private final InstantSource clock;
  private final BlockingQueue<SentMessage> queue = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean isEnding;

  OutcomeQueue(OutcomeRecorder recorder, InstantSource clock) {
    this.recorder = recorder;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("delivery-outcomes").start(this::run);
  }

  void add(SentMessage sent) {
    queue.add(sent);
  }

  private void run() {
    try {
      List<SentMessage> merging = List.of();
      while (!isEnding || !queue.isEmpty()) {
        List<SentMessage> batch = next();
        batch.addAll(merging);
        merging = batch.isEmpty() ? List.of() : recent(write(batch));
      }
    } catch (InterruptedException e) {
      LOG.warn("{} outcomes were not recorded", queue.size());
    }
  }

  private List<SentMessage> next() throws InterruptedException {
    List<SentMessage> batch = new ArrayList<>();
    SentMessage first = queue.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
    if (first != null) {
      batch.add(first);
      queue.drainTo(batch, MAX_BATCH_MESSAGES - 1);
    }
    return batch;
  }

  private List<SentMessage> write(List<SentMessage> batch) throws InterruptedException {
    for (int failures = 1; ; failures++) {
      try {
        return recorder.record(batch);
      } catch (Failure | CommitUnknown e) {
        LOG.warn("the outcomes of {} messages cannot be recorded: {}", batch.size(), e.toString());
      } catch (RuntimeException e) {
        LOG.error("the outcomes of {} messages cannot be recorded", batch.size(), e);
        return batch.size() > 1 ? writeEach(batch) : List.of();
      }
      if (isEnding && failures >= MAX_FAILURES_AT_END) {
        return List.of();
      }
      TimeUnit.NANOSECONDS.sleep(BACKOFF.after(failures).toNanos());
    }
  }

  /// A defect of one message must not cost the outcomes of the others, among them refusals to be queued again.
  private List<SentMessage> writeEach(List<SentMessage> batch) throws InterruptedException {
    List<SentMessage> merging = new ArrayList<>();
    for (SentMessage sent : batch) {
      merging.addAll(write(List.of(sent)));
    }
    return merging;
  }

  private List<SentMessage> recent(List<SentMessage> merging) {
    Instant since = clock.instant().minus(MAX_MERGE_WAIT);
    return merging.stream().filter(sent -> sent.at().isAfter(since)).toList();
  }

  /// Records what was added.
  @Override
  public void close() {
    isEnding = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
