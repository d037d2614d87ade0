package dev.torg.notifications.operation;

import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.channel.DeliveryTarget;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A message that left the queue and is to be sent once: one entry, or several that were held back and are summarized.
///
/// @param targets where it is sent
/// @param settings of the owner
public record ClaimedMessage(
    List<Part> parts, List<DeliveryTarget> targets, NotificationSettings settings) {
  /// An entry of the message.
  ///
  /// @param key identifies the entry among its owner's, also after a login merge
  public record Part(
      DeliveryOperation operation,
      String key,
      Notification content,
      NotificationTopics.Topic topic) {}

  public ClaimedMessage {
    parts = List.copyOf(parts);
    targets = List.copyOf(targets);
  }

  public Part newest() {
    return parts.getLast();
  }

  public String owner() {
    return newest().operation().owner();
  }

  public Channel channel() {
    return newest().operation().channel();
  }

  /// A summary expires with the last of its entries.
  public Optional<Instant> expiresAt() {
    List<Optional<Instant>> times =
        parts.stream().map(part -> part.operation().expiresAt()).toList();
    return times.stream().allMatch(Optional::isPresent)
        ? times.stream().flatMap(Optional::stream).max(Comparator.naturalOrder())
        : Optional.empty();
  }

  public boolean isSummary() {
    return parts.size() > 1;
  }
}
