package dev.torg.notifications.bell;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A transaction's changes of unread counts, summed per recipient and topic.
final class UnreadChanges {
  record Change(String owner, String topic, int difference) {}

  private final Map<String, Map<String, Integer>> differences = new TreeMap<>();
  private int changes;

  void add(String owner, String topic, int difference) {
    differences.computeIfAbsent(owner, _ -> new TreeMap<>()).merge(topic, difference, Integer::sum);
    changes++;
  }

  /// The number of calls of [#add].
  int changes() {
    return changes;
  }

  List<Change> list() {
    return differences.entrySet().stream()
        .flatMap(
            owner ->
                owner.getValue().entrySet().stream()
                    .map(topic -> new Change(owner.getKey(), topic.getKey(), topic.getValue())))
        .filter(change -> change.difference() != 0)
        .toList();
  }
}
