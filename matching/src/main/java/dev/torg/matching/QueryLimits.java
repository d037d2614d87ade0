package dev.torg.matching;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The limits of a query.
final class QueryLimits {
  private static final Pattern KEY = Pattern.compile("[\\p{L}\\p{Nd}_.-]{1,64}");
  private static final int MAX_VALUE_LENGTH = 256;

  private QueryLimits() {}

  static void check(
      @Nullable String category,
      SortedSet<String> regions,
      Map<String, NumericBounds> ranges,
      Map<String, SortedSet<String>> anyOf,
      Map<String, SortedSet<String>> noneOf,
      SortedSet<String> words,
      SortedSet<String> phrases,
      SortedSet<String> excludedWords,
      SortedSet<String> excludedPhrases) {
    if (category != null && category.isBlank()) {
      throw new InvalidQuery("category", "The category is empty.");
    }
    for (Map<String, ?> keyed : List.of(ranges, anyOf, noneOf)) {
      keyed.keySet().forEach(QueryLimits::checkKey);
    }
    int values = checkValues(regions);
    for (Map<String, SortedSet<String>> sets : List.of(anyOf, noneOf)) {
      for (SortedSet<String> set : sets.values()) {
        values += checkValues(set);
      }
    }
    if (values > Query.MAX_VALUES) {
      throw new InvalidQuery(
          "filters", "A search may list at most 512 values; this one lists " + values + ".");
    }
    for (SortedSet<String> texts : List.of(words, phrases, excludedWords, excludedPhrases)) {
      texts.forEach(QueryLimits::checkText);
    }
  }

  static void checkClauses(int clauses) {
    if (clauses > Query.MAX_CLAUSES) {
      throw new InvalidQuery(
          "query", "A search may have at most 64 conditions; this one has " + clauses + ".");
    }
  }

  static void checkKey(String key) {
    if (!KEY.matcher(key).matches()) {
      throw new InvalidQuery("filters", "'" + key + "' is no attribute key.");
    }
  }

  private static int checkValues(Collection<String> values) {
    values.forEach(value -> checkLength("filters", value, MAX_VALUE_LENGTH));
    return values.size();
  }

  private static void checkText(String text) {
    checkLength("text", text, 10 * MAX_VALUE_LENGTH);
  }

  private static void checkLength(String field, String value, int max) {
    if (value.isEmpty() || value.length() > max) {
      throw new InvalidQuery(field, "A value of a search must have 1 to " + max + " characters.");
    }
  }
}
