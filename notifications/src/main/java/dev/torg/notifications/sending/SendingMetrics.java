package dev.torg.notifications.sending;

import io.micrometer.core.instrument.MeterRegistry;

/// Counts what became of sent notifications, one per recipient, by topic.
public final class SendingMetrics {
  /// What became of a message to a recipient.
  enum Outcome {
    ACCEPTED("accepted"),
    SCHEDULED("scheduled"),
    WRITTEN("written"),
    DUPLICATE("duplicate"),
    MOVED("moved"),
    EXPIRED("expired"),
    LOST("lost");

    private final String tag;

    Outcome(String tag) {
      this.tag = tag;
    }
  }

  private final MeterRegistry registry;

  public SendingMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  void accepted(AcceptedNotification notification) {
    add(Outcome.ACCEPTED, notification.topic(), notification.recipients().size());
  }

  void count(Outcome outcome, String topic) {
    add(outcome, topic, 1);
  }

  private void add(Outcome outcome, String topic, int recipients) {
    registry
        .counter("torg.notifications.sending", "outcome", outcome.tag, "topic", topic)
        .increment(recipients);
  }
}
