package dev.torg.alerts.event;

import java.util.Collection;

/// Sends alerts towards their recipients.
@FunctionalInterface
public interface AlertSink {
  /// Returns when all alerts are durable.
  void send(String topic, Collection<Alert> alerts);
}
