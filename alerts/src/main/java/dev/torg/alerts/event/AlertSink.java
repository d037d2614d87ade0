package dev.torg.alerts.event;

import java.util.Collection;

/// Where alerts go on their way to readers.
@FunctionalInterface
public interface AlertSink {
  /// Returns when all of them are durable there.
  void send(String topic, Collection<Alert> alerts);
}
