package dev.torg.platform.coalesce;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// The metrics of a coalescer, recorded once per batch.
final class CoalescerMetrics {
  private final DistributionSummary size;
  private final Timer wait;
  private final Timer run;
  private final Counter splits;
  private final Counter unknown;
  private final MeterRegistry registry;
  private final Tags tags;

  CoalescerMetrics(MeterRegistry registry, String name) {
    this.registry = registry;
    this.tags = Tags.of("coalescer", name);
    this.size =
        DistributionSummary.builder("torg.coalescer.batch.size")
            .description("Items in a batch")
            .tags(tags)
            .register(registry);
    this.wait =
        Timer.builder("torg.coalescer.wait")
            .description("How long the oldest item of a batch waited for it")
            .tags(tags)
            .register(registry);
    this.run =
        Timer.builder("torg.coalescer.run")
            .description("How long a batch took")
            .tags(tags)
            .register(registry);
    this.splits = counter("torg.coalescer.splits", "Batches that failed and ran item by item");
    this.unknown = counter("torg.coalescer.unknown", "Commits whose response was lost");
  }

  void watch(Supplier<Number> waiting) {
    Gauge.builder("torg.coalescer.waiting", waiting)
        .description("Items that wait for a batch")
        .tags(tags)
        .register(registry);
  }

  void ran(int items, long oldestNanos, long startNanos) {
    size.record(items);
    wait.record(startNanos - oldestNanos, TimeUnit.NANOSECONDS);
    run.record(System.nanoTime() - startNanos, TimeUnit.NANOSECONDS);
  }

  void split() {
    splits.increment();
  }

  void commitUnknown() {
    unknown.increment();
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).tags(tags).register(registry);
  }
}
