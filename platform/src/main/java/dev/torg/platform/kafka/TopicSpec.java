package dev.torg.platform.kafka;

import java.time.Duration;
import java.util.OptionalInt;

/// A topic, its retention, and its maximum batch size (the cluster's default if empty).
public record TopicSpec(String name, Duration retention, OptionalInt maxMessageBytes) {
  public TopicSpec(String name, Duration retention) {
    this(name, retention, OptionalInt.empty());
  }

  public TopicSpec withMaxMessageBytes(int bytes) {
    return new TopicSpec(name, retention, OptionalInt.of(bytes));
  }
}
