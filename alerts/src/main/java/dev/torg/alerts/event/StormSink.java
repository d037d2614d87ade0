package dev.torg.alerts.event;

import java.util.Collection;

/// Where collapsed storms go on their way to readers.
@FunctionalInterface
public interface StormSink {
  /// Returns when all of them are durable there.
  void send(Collection<StormAlert> alerts);
}
