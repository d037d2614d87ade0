package dev.torg.platform.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// The metrics of a consumer, by topic.
final class ConsumerMetrics {
  private final MeterRegistry registry;
  private final String consumer;
  private final Map<String, AtomicLong> lags = new HashMap<>();
  private final AtomicLong bufferedBytes = new AtomicLong();

  ConsumerMetrics(MeterRegistry registry, ConsumerSpec spec) {
    this.registry = registry;
    this.consumer = spec.name();
    for (String topic : spec.topics()) {
      lags.put(topic, registry.gauge("torg.consumer.lag", tags(topic), new AtomicLong()));
    }
    registry.gauge("torg.consumer.buffered.bytes", Tags.of("consumer", consumer), bufferedBytes);
  }

  /// Events of this process's partitions that are not handled yet.
  void lag(Map<String, Long> byTopic) {
    lags.forEach((topic, lag) -> lag.set(byTopic.getOrDefault(topic, 0L)));
  }

  /// Memory of the events that this process has received and not handled yet.
  void buffered(long bytes) {
    bufferedBytes.set(bytes);
  }

  void handled(String topic, int events) {
    counter("torg.consumer.handled", topic).increment(events);
  }

  void retried(String topic) {
    counter("torg.consumer.retried", topic).increment();
  }

  void parked(String topic) {
    counter("torg.consumer.parked", topic).increment();
  }

  /// An alarm: events were deleted by retention before they were read.
  void outOfRange(String topic) {
    counter("torg.consumer.out.of.range", topic).increment();
  }

  private Counter counter(String name, String topic) {
    return registry.counter(name, tags(topic));
  }

  private Tags tags(String topic) {
    return Tags.of("consumer", consumer, "topic", topic);
  }
}
