package dev.torg.bench.load;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/// One load run. Every response counts, failures separately; the run ends when all calls have completed.
public final class Load {
  /// Latencies are recorded in microseconds up to a minute, to three digits.
  private static final long MAX_LATENCY_MICROS = Duration.ofMinutes(1).toNanos() / 1_000;

  private final Supplier<? extends CompletableFuture<?>> call;
  private final Recorder latency = new Recorder(MAX_LATENCY_MICROS, 3);
  private final LongAdder failures = new LongAdder();
  private final Phaser unanswered = new Phaser(1);

  private Load(Supplier<? extends CompletableFuture<?>> call) {
    this.call = call;
  }

  /// Keeps `callers` calls in flight, to measure the maximum throughput.
  public static LoadResult closedLoop(
      int callers, Duration time, Supplier<? extends CompletableFuture<?>> call) {
    Load load = new Load(call);
    long start = System.nanoTime();
    long end = start + time.toNanos();
    for (int i = 0; i < callers; i++) {
      load.unanswered.register();
      load.next(end);
    }
    return load.result(start);
  }

  /// Starts calls at a steady rate whatever the outcome: an open-loop measurement of latency. A call's latency
  /// counts from its scheduled time, so that a stall shows in all calls it delayed.
  public static LoadResult steady(
      double perSecond, Duration time, Supplier<? extends CompletableFuture<?>> call) {
    Load load = new Load(call);
    long start = System.nanoTime();
    long count = (long) (perSecond * time.toNanos() / 1e9);
    for (long i = 0; i < count; i++) {
      long due = start + (long) (i * 1e9 / perSecond);
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(Math.max(1, due - System.nanoTime()));
      }
      load.unanswered.register();
      load.call.get().whenComplete((response, error) -> load.completed(due, error));
    }
    return load.result(start);
  }

  private void next(long end) {
    long startNanos = System.nanoTime();
    if (startNanos >= end) {
      unanswered.arriveAndDeregister();
      return;
    }
    call.get()
        .whenComplete(
            (response, error) -> {
              record(startNanos, error);
              next(end);
            });
  }

  private void completed(long startNanos, @Nullable Throwable error) {
    record(startNanos, error);
    unanswered.arriveAndDeregister();
  }

  private void record(long startNanos, @Nullable Throwable error) {
    if (error != null) {
      failures.increment();
    } else {
      latency.recordValue(
          Math.clamp((System.nanoTime() - startNanos) / 1_000, 0, MAX_LATENCY_MICROS));
    }
  }

  private LoadResult result(long start) {
    unanswered.arriveAndAwaitAdvance();
    Histogram histogram = latency.getIntervalHistogram();
    return new LoadResult(histogram, failures.sum(), Duration.ofNanos(System.nanoTime() - start));
  }
}
