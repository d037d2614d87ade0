package dev.torg.platform.kafka;

import java.util.List;

/// Turns events into an effect.
@FunctionalInterface
public interface EventHandler {
  /// Takes some events of one partition, in order, and returns when their effect is durable. It may
  /// see an event again, and events of several partitions at once, on several threads. When it fails
  /// the events are given to it one by one, and again later.
  void handle(List<Event> events) throws Exception;

  /// Takes one event that failed before, with others or by itself. It must not be handled together
  /// with events of other partitions, which it could hinder.
  default void handleAlone(Event event) throws Exception {
    handle(List.of(event));
  }
}
