package dev.torg.matching;

import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Drops redundant parts of a query, so that searches with the same meaning become equal.
final class Simplify {
  private Simplify() {}

  static SortedMap<String, NumericBounds> ranges(Map<String, NumericBounds> ranges) {
    TreeMap<String, NumericBounds> retained = new TreeMap<>(ranges);
    retained.values().removeIf(NumericBounds::isOpen);
    return Query.frozen(retained);
  }

  static SortedMap<String, SortedSet<String>> sets(Map<String, SortedSet<String>> sets) {
    TreeMap<String, SortedSet<String>> retained = new TreeMap<>();
    sets.forEach(
        (key, values) -> {
          if (!values.isEmpty()) {
            retained.put(key, Query.frozen(values));
          }
        });
    return Query.frozen(retained);
  }

  /// A value that is both required and excluded is dropped; where nothing else is required the contradiction
  /// stays.
  static SortedMap<String, SortedSet<String>> withoutExcluded(
      SortedMap<String, SortedSet<String>> anyOf, SortedMap<String, SortedSet<String>> noneOf) {
    TreeMap<String, SortedSet<String>> retained = new TreeMap<>(anyOf);
    noneOf.forEach(
        (key, excluded) ->
            retained.computeIfPresent(
                key,
                (k, values) -> {
                  SortedSet<String> remaining = without(values, excluded::contains);
                  return remaining.isEmpty() ? values : remaining;
                }));
    return Query.frozen(retained);
  }

  static SortedSet<String> topmost(SortedSet<String> regions) {
    return without(regions, region -> isBelowAnother(region, regions));
  }

  private static boolean isBelowAnother(String region, SortedSet<String> regions) {
    for (int slash = region.indexOf('/'); slash > 0; slash = region.indexOf('/', slash + 1)) {
      if (regions.contains(region.substring(0, slash))) {
        return true;
      }
    }
    return false;
  }

  /// Of required phrases the longer requires more.
  static SortedSet<String> longest(SortedSet<String> phrases) {
    return without(
        phrases,
        phrase ->
            phrases.stream().anyMatch(other -> !other.equals(phrase) && contains(other, phrase)));
  }

  /// Of excluded phrases the shorter excludes more.
  static SortedSet<String> shortest(SortedSet<String> phrases) {
    return without(
        phrases,
        phrase ->
            phrases.stream().anyMatch(other -> !other.equals(phrase) && contains(phrase, other)));
  }

  static SortedSet<String> wordsNotIn(SortedSet<String> phrases, SortedSet<String> words) {
    return without(words, word -> phrases.stream().anyMatch(phrase -> contains(phrase, word)));
  }

  static SortedSet<String> phrasesWithout(
      SortedSet<String> excludedWords, SortedSet<String> excludedPhrases) {
    return without(
        excludedPhrases, phrase -> excludedWords.stream().anyMatch(word -> contains(phrase, word)));
  }

  private static boolean contains(String phrase, String part) {
    return (" " + phrase + " ").contains(" " + part + " ");
  }

  private static SortedSet<String> without(SortedSet<String> values, Predicate<String> dropped) {
    TreeSet<String> retained = new TreeSet<>(values);
    retained.removeIf(dropped);
    return Query.frozen(retained);
  }
}
