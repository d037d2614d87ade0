package dev.torg.server.config;

/// What a process does. `torg up` does everything; `torg serve --roles …` a part.
public enum Role {
  /// Answers gRPC and HTTP.
  API,
  /// Brings committed events from the outbox to Kafka.
  RELAY,
  /// Holds the saved searches, matches offers against them and tells people.
  ALERTS,
  /// Expiry, archiving, moderation opinions, purges.
  JOBS,
  /// Fetches photos and makes their sizes: processors and memory.
  PHOTOS
}
