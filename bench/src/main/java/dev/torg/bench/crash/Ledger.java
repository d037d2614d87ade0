package dev.torg.bench.crash;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// What the server has acknowledged: for each offer, each version and the title it had then.
final class Ledger {
  private final Map<String, SortedMap<Long, String>> acknowledged = new ConcurrentHashMap<>();

  void acknowledge(String offerId, long version, String title) {
    acknowledged.computeIfAbsent(offerId, id -> new ConcurrentSkipListMap<>()).put(version, title);
  }

  List<String> offers() {
    return List.copyOf(acknowledged.keySet());
  }

  SortedMap<Long, String> versions(String offerId) {
    return acknowledged.getOrDefault(offerId, new ConcurrentSkipListMap<>());
  }

  long size() {
    return acknowledged.values().stream().mapToLong(SortedMap::size).sum();
  }
}
