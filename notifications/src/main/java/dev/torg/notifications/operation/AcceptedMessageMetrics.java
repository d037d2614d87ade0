package dev.torg.notifications.operation;

import dev.torg.notifications.Channel;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Map;

/// Counts the messages that were queued, by channel and topic.
final class AcceptedMessageMetrics {
  private final MeterRegistry registry;

  AcceptedMessageMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  record Label(Channel channel, String topic) {}

  void count(Map<Label, Integer> messages) {
    messages.forEach((label, number) -> counter(label).increment(number));
  }

  private Counter counter(Label label) {
    return Counter.builder("torg.delivery.accepted")
        .description("Messages that were queued for delivery")
        .tags("channel", label.channel().name().toLowerCase(Locale.ROOT), "topic", label.topic())
        .register(registry);
  }
}
