package dev.torg.notifications.operation;

import dev.torg.notifications.delivery.DeliveryCount;
import dev.torg.notifications.delivery.DeliveryCount.CurrentPeriods;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The counts of a claim on one channel: those that were stored, and those of the messages that it delivers.
final class DeliveryCounts {
  /// The counts of all topics together are stored under this one.
  static final String ALL_TOPICS = "";

  /// @param topic [#ALL_TOPICS] or one
  record Key(String owner, String topic) {}

  /// All messages of a claim are counted at one time, in a few timezones.
  private record LocalMoment(Instant now, ZoneId zone) {}

  private final Map<LocalMoment, CurrentPeriods> periods = new HashMap<>();
  private final Map<Key, DeliveryCount> counts;
  private final Set<Key> changed = new HashSet<>();

  DeliveryCounts(Map<Key, DeliveryCount> stored) {
    this.counts = new HashMap<>(stored);
  }

  DeliveryCount ofTopic(String owner, String topic) {
    return counts.getOrDefault(new Key(owner, topic), DeliveryCount.NONE);
  }

  DeliveryCount ofChannel(String owner) {
    return ofTopic(owner, ALL_TOPICS);
  }

  /// Counts one message, once for each of its topics.
  void add(String owner, Collection<String> topics, Instant now, ZoneId zone) {
    Set<Key> keys = new HashSet<>();
    topics.forEach(topic -> keys.add(new Key(owner, topic)));
    keys.add(new Key(owner, ALL_TOPICS));
    CurrentPeriods current =
        periods.computeIfAbsent(
            new LocalMoment(now, zone), at -> CurrentPeriods.of(at.now(), at.zone()));
    keys.forEach(
        key -> counts.put(key, counts.getOrDefault(key, DeliveryCount.NONE).plusOne(current)));
    changed.addAll(keys);
  }

  /// A count of a person to be stored.
  record Changed(Key key, DeliveryCount count) {}

  List<Changed> changed() {
    return changed.stream()
        .map(key -> new Changed(key, counts.getOrDefault(key, DeliveryCount.NONE)))
        .toList();
  }
}
