package dev.torg.notifications;

import dev.torg.platform.Home;

/// A change of one recipient's bell: a new entry, or an entry that aggregates many events.
public sealed interface BellEntry permits NewNotification, AggregatedNotification {
  String recipient();

  /// Identifies the entry among the recipient's entries.
  String key();

  String topic();

  /// On which other channels the entry is delivered. An aggregated entry is delivered once, when it is created.
  DeliveryRequest delivery();

  default Home home() {
    return Home.of(recipient());
  }
}
