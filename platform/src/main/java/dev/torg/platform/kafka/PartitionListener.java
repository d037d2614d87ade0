package dev.torg.platform.kafka;

import java.time.Instant;
import java.util.Optional;

/// Is notified of assigned and revoked partitions and may choose where to start in them.
public interface PartitionListener {
  /// Does nothing.
  PartitionListener NONE = partition -> {};

  /// Called before the first event of the partition is given to the handler.
  void onAssigned(Assignment partition);

  /// Called after the last event of the partition was handled or abandoned.
  default void onRevoked(String topic, int partition) {}

  /// A newly assigned partition.
  interface Assignment {
    String topic();

    int partition();

    /// The time of the last event that the group has handled here, if known. Every later event is
    /// still unhandled, however old it is.
    Optional<Instant> lastHandled();

    /// Starts at the first event of that time, if it lies before the committed offset.
    void seekBack(Instant time);
  }
}
