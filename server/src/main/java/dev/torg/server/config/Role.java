package dev.torg.server.config;

/// What a process does. `torg up` does everything; `torg serve --roles …` a part.
public enum Role {
  /// Serves gRPC and HTTP.
  API,
  /// Sends committed events from the outbox to Kafka.
  RELAY,
  /// Holds the saved searches, matches offers against them and notifies users.
  ALERTS,
  /// Expiry, archiving, moderation opinions, purges.
  JOBS,
  /// Fetches photos and produces their sizes: needs processors and memory.
  PHOTOS,
  /// Sends notifications on channels besides the bell.
  DELIVERY
}
