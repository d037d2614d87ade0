package dev.torg.bench.crash;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/// The acknowledged writes: for each offer, each version and its title; and the failures of the
/// live server.
final class WriteLedger {
  private final Map<String, SortedMap<Long, String>> acknowledged = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> failures = new ConcurrentHashMap<>();

  void acknowledge(String offerId, long version, String title) {
    acknowledged.computeIfAbsent(offerId, id -> new ConcurrentSkipListMap<>()).put(version, title);
  }

  void failed(RuntimeException failure) {
    failures
        .computeIfAbsent(String.valueOf(failure.getMessage()), reason -> new AtomicLong())
        .incrementAndGet();
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

  long failures() {
    return failures.values().stream().mapToLong(AtomicLong::get).sum();
  }

  /// Some of the reasons, for debugging.
  List<String> reasons() {
    return failures.keySet().stream().sorted().limit(5).toList();
  }
}
