package dev.torg.platform.kafka;

import java.time.Instant;
import java.util.Optional;

/// Hears which partitions this process takes and leaves, and says where it starts in them.
public interface PartitionListener {
  /// Nothing to hear or to say.
  PartitionListener NONE = partition -> {};

  /// Called before the first event of the partition is given to the handler.
  void onAssigned(Assignment partition);

  /// Called after the last event of the partition was handled or abandoned.
  default void onRevoked(String topic, int partition) {}

  /// A partition just taken.
  interface Assignment {
    String topic();

    int partition();

    /// The time of the last event that the group has handled here, if it is known: everything after it
    /// is still to come, however long ago that was.
    Optional<Instant> lastHandled();

    /// Starts at the first event of that time, if that lies before what the group has committed.
    void seekBack(Instant to);

    /// Takes no events of it before [ConsumerLoop#resume].
    void pause();
  }
}
