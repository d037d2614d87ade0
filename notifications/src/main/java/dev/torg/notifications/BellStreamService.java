package dev.torg.notifications;

import java.util.Optional;
import java.util.concurrent.Flow;

/// Opens event streams of bells.
public interface BellStreamService {
  /// Publishes the entries after the one with the given id, or those from now on; and the unread counts
  /// first and after each change. The stream ends when its subscriber cancels it or the process stops.
  Flow.Publisher<BellEvent> stream(String recipient, Optional<String> lastEventId);
}
