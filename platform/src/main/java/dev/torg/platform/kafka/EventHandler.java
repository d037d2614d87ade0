package dev.torg.platform.kafka;

import java.util.List;

/// Turns events into an effect.
@FunctionalInterface
public interface EventHandler {
  /// Handles some events of one partition, in order, and returns when their effect is durable. It may receive
  /// an event again, and is called concurrently for several partitions. When it fails, the events are given to
  /// it one by one, with retries.
  void handle(List<Event> events) throws Exception;

  /// Handles one event that failed before, in a batch or by itself. It must not be batched with events of other
  /// partitions, which it could block.
  default void handleSingle(Event event) throws Exception {
    handle(List.of(event));
  }
}
