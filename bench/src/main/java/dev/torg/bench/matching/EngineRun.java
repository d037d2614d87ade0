package dev.torg.bench.matching;

import dev.torg.bench.workload.SampleOffer;
import dev.torg.matching.engine.Engine;
import dev.torg.matching.engine.Matches;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/// Torg's engine on one workload. Every measured offer starts as raw text: its analysis is part of the time.
final class EngineRun implements AutoCloseable {
  /// Offers observed before loading, so that the first keys are chosen by real frequencies.
  private static final int OBSERVED = 4_096;

  private final Engine engine = Engine.create(InstantSource.system());
  private final List<SampleOffer> offers;
  private final double loadSeconds;

  EngineRun(Sampled sampled) {
    offers = sampled.offers();
    for (int i = 0; i < OBSERVED; i++) {
      engine.match(Translate.features(offers.get(i % offers.size())));
    }
    long start = System.nanoTime();
    engine.load(sampled.queries());
    loadSeconds = (System.nanoTime() - start) / 1e9;
  }

  Engine engine() {
    return engine;
  }

  List<SampleOffer> offers() {
    return offers;
  }

  double loadSeconds() {
    return loadSeconds;
  }

  double bytesPerQuery() {
    return (double) engine.stats().bytes() / engine.size();
  }

  Measured run(int threads, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    return runWhile(threads, () -> System.nanoTime() < end);
  }

  Measured runWhile(int threads, BooleanSupplier going) {
    List<Callable<Measured>> recipients = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int first = i;
      recipients.add(() -> read(first * (offers.size() / threads), going));
    }
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      return pool.invokeAll(recipients).stream()
          .map(EngineRun::result)
          .reduce(Measured::and)
          .orElseThrow();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }

  private static Measured result(Future<Measured> future) {
    try {
      return future.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("a reader failed", e);
    }
  }

  private Measured read(int first, BooleanSupplier going) {
    Histogram latencies = new Histogram(3);
    long matched = 0;
    long scanned = 0;
    long checked = 0;
    int count = 0;
    long cpu = Cpu.ofThread();
    long start = System.nanoTime();
    long before = start;
    while (going.getAsBoolean()) {
      Matches matches =
          engine.match(Translate.features(offers.get((first + count++) % offers.size())));
      matched += matches.size();
      scanned += matches.scanned();
      checked += matches.checked();
      long now = System.nanoTime();
      latencies.recordValue(now - before);
      before = now;
    }
    return new Measured(
        count, before - start, Cpu.ofThread() - cpu, latencies, matched, scanned, checked);
  }

  @Override
  public void close() {
    engine.close();
  }
}
