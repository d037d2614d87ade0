package dev.torg.alerts.event;

import java.util.Collection;

/// Sends collapsed storms towards their recipients.
@FunctionalInterface
public interface StormSink {
  /// Returns when all storms are durable.
  void send(Collection<StormAlert> alerts);
}
