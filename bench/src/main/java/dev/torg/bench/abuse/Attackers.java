package dev.torg.bench.abuse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/// Runs the calls of one attack on a bounded number of threads until its deadline, and counts their outcomes.
final class Attackers {
  private static final Duration EXTRA_WAIT = Duration.ofSeconds(45);

  private final long deadline;
  private final Map<String, Long> outcomes = new ConcurrentHashMap<>();

  Attackers(Duration length) {
    deadline = System.nanoTime() + length.toNanos();
  }

  /// Repeats the call on each of the threads, with the pause between two calls of a thread.
  ///
  /// @param call returns its outcome, an HTTP status for example
  void repeat(int threads, Duration pause, Callable<String> call) throws InterruptedException {
    List<Callable<Void>> loops = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      loops.add(() -> loop(pause, call));
    }
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Void>> running = loops.stream().map(executor::submit).toList();
      while (running.stream().anyMatch(loop -> !loop.isDone())
          && System.nanoTime() < deadline + EXTRA_WAIT.toNanos()) {
        Thread.sleep(20);
      }
      executor.shutdownNow();
    }
  }

  private Void loop(Duration pause, Callable<String> call) {
    while (!isFinished() && !Thread.currentThread().isInterrupted()) {
      try {
        count(call.call());
      } catch (Exception e) { // what the server does to an attacker is an outcome, not a failure
        count(e.getClass().getSimpleName());
      }
      LockSupport.parkNanos(pause.toNanos());
    }
    return null;
  }

  boolean isFinished() {
    return System.nanoTime() >= deadline;
  }

  /// Sleeps until the deadline, while opened connections are held.
  void hold() throws InterruptedException {
    long remaining = deadline - System.nanoTime();
    if (remaining > 0) {
      Thread.sleep(Duration.ofNanos(remaining));
    }
  }

  void count(String outcome) {
    outcomes.merge(outcome, 1L, Long::sum);
  }

  Map<String, Long> outcomes() {
    return new ConcurrentSkipListMap<>(outcomes);
  }
}
