package dev.torg.bench.money;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// What the sellers have done and what was acknowledged to them. Used by all sellers' threads.
final class MoneyRecord {
  private final Set<String> paid = ConcurrentHashMap.newKeySet();
  private final Set<String> ending = ConcurrentHashMap.newKeySet();
  private final Set<String> ended = ConcurrentHashMap.newKeySet();
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();

  void count(String action) {
    counts.computeIfAbsent(action, _ -> new LongAdder()).increment();
  }

  void failed(RuntimeException failure) {
    failures.computeIfAbsent(failure.toString(), _ -> new LongAdder()).increment();
  }

  /// The provider has confirmed a payment.
  void paid(String payment) {
    paid.add(payment);
  }

  /// The offer is about to be banned or sold.
  void ending(String offer) {
    ending.add("offer:" + offer);
  }

  /// That was acknowledged.
  void ended(String offer) {
    ended.add("offer:" + offer);
  }

  Set<String> paid() {
    return paid;
  }

  boolean neverEnded(String entity) {
    return !ending.contains(entity);
  }

  boolean hasEnded(String entity) {
    return ended.contains(entity);
  }

  Map<String, Long> counts() {
    return sums(counts);
  }

  Map<String, Long> failures() {
    return sums(failures);
  }

  private static Map<String, Long> sums(Map<String, LongAdder> adders) {
    Map<String, Long> sums = new TreeMap<>();
    adders.forEach((name, adder) -> sums.put(name, adder.sum()));
    return sums;
  }
}
