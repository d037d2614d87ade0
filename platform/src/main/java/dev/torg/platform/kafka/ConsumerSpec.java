package dev.torg.platform.kafka;

import java.time.Duration;
import java.util.List;

/// A consumer's name (its group, and the name under which its parked records are listed), its topics, and how
/// it handles their events.
///
/// `batch` is the maximum number of events given to the handler in one call; `attempts` how often one event
/// alone may fail before it is parked, `backoff` the first pause between two attempts, doubled each time up to
/// 10 seconds. Transient failures, such as an unavailable database, are not counted.
public record ConsumerSpec(
    String name, List<String> topics, int batch, int attempts, Duration backoff) {
  public ConsumerSpec {
    topics = List.copyOf(topics);
  }

  /// Batches of up to 500; an event is tried 5 times within about 3 seconds, then parked.
  public static ConsumerSpec of(String name, String... topics) {
    return new ConsumerSpec(name, List.of(topics), 500, 5, Duration.ofMillis(200));
  }

  public ConsumerSpec withBatch(int newBatch) {
    return new ConsumerSpec(name, topics, newBatch, attempts, backoff);
  }

  public ConsumerSpec withAttempts(int newAttempts, Duration newBackoff) {
    return new ConsumerSpec(name, topics, batch, newAttempts, newBackoff);
  }
}
