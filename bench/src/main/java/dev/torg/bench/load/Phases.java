package dev.torg.bench.load;

import dev.torg.bench.report.ReportOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// The phases of a benchmark that compares implementations of the same work. Each is warmed up
/// right before it is measured, so that none runs on code compiled for another.
public record Phases(ReportOptions options, Duration warming) {
  /// Calls in flight: enough for batches to form, as on a busy server.
  public static final int CALLERS = 512;

  /// Twice the connections of the plain implementation keep every one of them busy.
  public static final int PLAIN_CALLERS = 64;

  private static final Duration MEASURE = Duration.ofSeconds(20);

  /// Measures the maximum throughput.
  public LoadResult full(String name, int callers, Supplier<CompletableFuture<?>> call) {
    options.progress("warming %s for %d s ...", name, warming.toSeconds());
    Load.closedLoop(callers, warming, call);
    return report(name, Load.closedLoop(callers, time(), call));
  }

  /// Measures the latency at half of the maximum throughput.
  public LoadResult half(String name, LoadResult full, Supplier<CompletableFuture<?>> call) {
    return report(name + " at half load", Load.steady(full.perSecond() / 2, time(), call));
  }

  public Duration time() {
    return options.phase(MEASURE);
  }

  /// Makes the given number of calls, a few hundred at a time, and waits for all.
  public static void each(int count, IntFunction<CompletableFuture<?>> call) {
    each(count, CALLERS, call);
  }

  /// The same with so many calls in flight.
  public static void each(int count, int callers, IntFunction<CompletableFuture<?>> call) {
    AtomicInteger next = new AtomicInteger();
    CompletableFuture.allOf(
            IntStream.range(0, callers)
                .mapToObj(_ -> chain(count, next, call))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  private static CompletableFuture<?> chain(
      int count, AtomicInteger next, IntFunction<CompletableFuture<?>> call) {
    int index = next.getAndIncrement();
    return index >= count
        ? CompletableFuture.completedFuture(null)
        : call.apply(index).thenComposeAsync(_ -> chain(count, next, call));
  }

  private LoadResult report(String name, LoadResult result) {
    options.progress("%s: %s", name, result);
    return result;
  }
}
