package dev.torg.platform.db;

import com.google.common.base.Throwables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;

/// Processes the items of each shard in transactions of their own, a few shards concurrently, whatever the outcome of
/// the others. On plain PostgreSQL there is one shard, and the caller's thread does the work.
///
///     EachShard.run(database.shards().split(rows, Row::home), part -> database.transact(…));
public final class EachShard {
  /// Leaves connections to other callers, and keeps two or more nodes busy.
  private static final int MAX_CONCURRENT_SHARDS = 4;

  private EachShard() {}

  /// As [#map], for work without a result.
  public static <T> void run(List<List<T>> shards, Consumer<List<T>> work) {
    var _ =
        map(
            shards,
            items -> {
              work.accept(items);
              return true;
            });
  }

  /// Returns the results in the order of the shards. The first failure is thrown after all shards were processed,
  /// with the others attached.
  public static <T, R> List<R> map(List<List<T>> shards, Function<List<T>, R> work) {
    if (shards.size() <= 1) {
      return shards.stream().map(work).toList();
    }
    Run<T, R> run = new Run<>(shards, work);
    List<Thread> helpers = new ArrayList<>();
    for (int i = 1; i < Math.min(shards.size(), MAX_CONCURRENT_SHARDS); i++) {
      helpers.add(Thread.ofVirtual().name("shard-", i).start(run::work));
    }
    run.work();
    helpers.forEach(EachShard::join);
    return run.results();
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Run<T, R> {
    private final List<List<T>> shards;
    private final Function<List<T>, R> work;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReferenceArray<Optional<R>> results;
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    Run(List<List<T>> shards, Function<List<T>, R> work) {
      this.shards = shards;
      this.work = work;
      this.results = new AtomicReferenceArray<>(shards.size());
    }

    void work() {
      for (int i = next.getAndIncrement(); i < shards.size(); i = next.getAndIncrement()) {
        try {
          results.set(i, Optional.of(work.apply(shards.get(i))));
        } catch (RuntimeException | Error e) {
          failures.add(e);
        }
      }
    }

    List<R> results() {
      Throwable first = failures.poll();
      if (first != null) {
        failures.stream().filter(other -> other != first).forEach(first::addSuppressed);
        Throwables.throwIfUnchecked(first);
      }
      List<R> all = new ArrayList<>(shards.size());
      for (int i = 0; i < shards.size(); i++) {
        all.add(results.get(i).orElseThrow());
      }
      return all;
    }
  }
}
