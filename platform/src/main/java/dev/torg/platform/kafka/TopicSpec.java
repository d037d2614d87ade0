package dev.torg.platform.kafka;

import java.time.Duration;
import java.util.OptionalInt;

/// A topic, how long it keeps its records, and how large a batch of them may be (the cluster's default
/// where nothing is said).
public record TopicSpec(String name, Duration retention, OptionalInt maxMessageBytes) {
  public TopicSpec(String name, Duration retention) {
    this(name, retention, OptionalInt.empty());
  }

  public TopicSpec withMaxMessageBytes(int bytes) {
    return new TopicSpec(name, retention, OptionalInt.of(bytes));
  }
}
