package dev.torg.bench.matching;

import dev.torg.bench.workload.AdWorld;
import dev.torg.bench.workload.Mix;
import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import dev.torg.matching.engine.Engine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/// A thousand changes a second, half of them removals, while offers are matched; and how soon a new query
/// matches.
final class ChurnRun {
  static final int UPDATES_PER_SECOND = 1_000;

  /// Updates are made in ticks of ten milliseconds.
  private static final int TICKS_PER_SECOND = 100;

  private final Engine engine;
  private final AdWorld world;
  private final ArrayDeque<SearchId> added = new ArrayDeque<>();
  private final Histogram visibleNanos = new Histogram(3);
  private long changes;
  private long missed;

  ChurnRun(EngineRun run, int searches, long seed) {
    engine = run.engine();
    world = new AdWorld(seed + 2, searches);
  }

  Measured run(EngineRun run, int readers, Duration time) {
    AtomicBoolean going = new AtomicBoolean(true);
    Thread writer = Thread.ofPlatform().start(() -> write(time, going));
    Measured measured = run.runWhile(readers, going::get);
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return measured;
  }

  private void write(Duration time, AtomicBoolean going) {
    try {
      long start = System.nanoTime();
      for (int tick = 0; tick < time.toSeconds() * TICKS_PER_SECOND; tick++) {
        for (int i = 0; i < UPDATES_PER_SECOND / TICKS_PER_SECOND / 2; i++) {
          addAndRemove();
        }
        witnessed(tick);
        LockSupport.parkNanos(
            start + (tick + 1) * (1_000_000_000L / TICKS_PER_SECOND) - System.nanoTime());
      }
    } finally {
      going.set(false);
    }
  }

  private void addAndRemove() {
    Query query = Translate.query(world.search(Mix.NARROW));
    if (engine.add(query)) {
      added.add(query.searchId());
    }
    if (added.size() > 500) {
      engine.remove(added.poll());
    }
    changes += 2;
  }

  /// From the call of `add` to a match that reports the query.
  private void witnessed(int tick) {
    String category = "leaf" + tick % 144;
    Query query = Query.builder().category(category).text("witness").build();
    OfferFeatures offer =
        OfferFeatures.builder().categoryPath(List.of(category)).title("a witness").build();
    long start = System.nanoTime();
    engine.add(query);
    boolean seen = engine.match(offer).ids().contains(query.searchId());
    visibleNanos.recordValue(System.nanoTime() - start);
    engine.remove(query.searchId());
    boolean removed = !engine.match(offer).ids().contains(query.searchId());
    missed += seen && removed ? 0 : 1;
  }

  double visibleMicros(double percentile) {
    return visibleNanos.getValueAtPercentile(percentile) / 1e3;
  }

  long changes() {
    return changes;
  }

  /// Queries not matched immediately after `add`, or still matched after `remove`.
  long missed() {
    return missed;
  }
}
