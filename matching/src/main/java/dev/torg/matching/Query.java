package dev.torg.matching;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A saved search in canonical form: searches with the same meaning are equal, however they were written. Words
/// and phrases are stems; [#builder()] takes texts as users type them.
public record Query(
    @Nullable String category,
    SortedSet<String> regions,
    @Nullable PriceBounds price,
    SortedMap<String, NumericBounds> ranges,
    SortedMap<String, SortedSet<String>> anyOf,
    SortedMap<String, SortedSet<String>> noneOf,
    SortedSet<String> words,
    SortedSet<String> phrases,
    SortedSet<String> excludedWords,
    SortedSet<String> excludedPhrases,
    @Nullable String seller,
    boolean withPhotos) {

  /// The maximum number of clauses of a query: more is a mistake or an attack.
  public static final int MAX_CLAUSES = 64;

  /// The maximum number of values in all sets of a query together, for the same reason.
  public static final int MAX_VALUES = 512;

  public Query {
    price = price == null || price.isOpen() ? null : price;
    ranges = Simplify.ranges(ranges);
    noneOf = Simplify.sets(noneOf);
    anyOf = Simplify.withoutExcluded(Simplify.sets(anyOf), noneOf);
    regions = Simplify.topmost(regions);
    excludedPhrases = Simplify.shortest(excludedPhrases);
    phrases = Simplify.longest(phrases);
    words = Simplify.wordsNotIn(phrases, words);
    excludedWords = frozen(excludedWords);
    excludedPhrases = Simplify.phrasesWithout(excludedWords, excludedPhrases);
    QueryLimits.check(
        category, regions, ranges, anyOf, noneOf, words, phrases, excludedWords, excludedPhrases);
    requirePositive(category, regions, price, ranges, anyOf, words, phrases, seller, withPhotos);
    int clauses =
        (category == null ? 0 : 1)
            + (regions.isEmpty() ? 0 : 1)
            + (price == null ? 0 : 1)
            + ranges.size()
            + anyOf.size()
            + noneOf.size()
            + words.size()
            + phrases.size()
            + excludedWords.size()
            + excludedPhrases.size()
            + (seller == null ? 0 : 1)
            + (withPhotos ? 1 : 0);
    QueryLimits.checkClauses(clauses);
  }

  static SortedSet<String> frozen(Collection<String> values) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(values));
  }

  static <V> SortedMap<String, V> frozen(Map<String, V> values) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  private static void requirePositive(
      @Nullable String category,
      SortedSet<String> regions,
      @Nullable PriceBounds price,
      Map<String, ?> ranges,
      Map<String, ?> anyOf,
      SortedSet<String> words,
      SortedSet<String> phrases,
      @Nullable String seller,
      boolean withPhotos) {
    boolean structured =
        category != null
            || !regions.isEmpty()
            || price != null
            || !ranges.isEmpty()
            || !anyOf.isEmpty();
    if (!structured && words.isEmpty() && phrases.isEmpty() && seller == null && !withPhotos) {
      throw new InvalidQuery(
          "query", "A search must ask for something: exclusions alone match nearly everything.");
    }
  }

  public static QueryBuilder builder() {
    return new QueryBuilder();
  }

  /// Parses the canonical text of a query.
  public static Query ofCanonical(String text) {
    return CanonicalText.parse(text);
  }

  /// The documented, stable text form: see the package.
  public String canonical() {
    return CanonicalText.of(this);
  }

  public SearchId searchId() {
    return SearchId.ofCanonical(canonical());
  }
}
