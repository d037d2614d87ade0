package dev.torg.matching;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Builds a query from the input of users and forms. Invalid input fails with the field's name.
public final class QueryBuilder {
  private @Nullable String category;
  private final SortedSet<String> regions = new TreeSet<>();
  private @Nullable String currency;
  private long priceFrom = Long.MIN_VALUE;
  private long priceTo = Long.MAX_VALUE;
  private final TreeMap<String, NumericBounds> ranges = new TreeMap<>();
  private final TreeMap<String, SortedSet<String>> anyOf = new TreeMap<>();
  private final TreeMap<String, SortedSet<String>> noneOf = new TreeMap<>();
  private final SortedSet<String> words = new TreeSet<>();
  private final SortedSet<String> phrases = new TreeSet<>();
  private final SortedSet<String> excludedWords = new TreeSet<>();
  private final SortedSet<String> excludedPhrases = new TreeSet<>();
  private @Nullable String seller;
  private boolean withPhotos;

  QueryBuilder() {}

  public QueryBuilder category(String id) {
    category = id;
    return this;
  }

  /// Called several times: any of the regions. A path such as `de/hessen`; everything below it matches.
  public QueryBuilder region(String path) {
    regions.add(OfferFeatures.regionPath(path));
    return this;
  }

  /// Inclusive ends in minor units; null is open.
  public QueryBuilder price(String currency, @Nullable Long from, @Nullable Long to) {
    this.currency = currency;
    priceFrom = from == null ? Long.MIN_VALUE : from;
    priceTo = to == null ? Long.MAX_VALUE : to;
    return this;
  }

  void priceCurrency(String value) {
    currency = value;
  }

  void priceFrom(long value) {
    priceFrom = value;
  }

  void priceTo(long value) {
    priceTo = value;
  }

  /// Inclusive ends; null is open. Several ranges of one attribute narrow each other.
  public QueryBuilder range(String key, @Nullable BigDecimal from, @Nullable BigDecimal to) {
    QueryLimits.checkKey(key);
    NumericBounds range = NumericBounds.of(from, to);
    ranges.merge(key, range, QueryBuilder::narrowed);
    return this;
  }

  private static NumericBounds narrowed(NumericBounds bounds, NumericBounds other) {
    return new NumericBounds(
        Math.max(bounds.from(), other.from()), Math.min(bounds.to(), other.to()));
  }

  /// The attribute must have one of the values. A second, different set for the same attribute is refused.
  public QueryBuilder anyOf(String key, Collection<String> values) {
    SortedSet<String> set = new TreeSet<>();
    values.forEach(value -> set.add(OfferFeatures.plainValue(value)));
    SortedSet<String> before = anyOf.putIfAbsent(key, set);
    if (before != null && !before.equals(set)) {
      throw new InvalidQuery("filters", "Two different any-of filters on '" + key + "'.");
    }
    return this;
  }

  void anyOfMore(String key, String value) {
    anyOf.computeIfAbsent(key, k -> new TreeSet<>()).add(value);
  }

  /// The attribute must have none of the values; an offer without the attribute passes.
  public QueryBuilder noneOf(String key, Collection<String> values) {
    SortedSet<String> set = noneOf.computeIfAbsent(key, k -> new TreeSet<>());
    values.forEach(value -> set.add(OfferFeatures.plainValue(value)));
    return this;
  }

  /// A boolean attribute; the same as any of the one value `true` or `false`.
  public QueryBuilder is(String key, boolean value) {
    return anyOf(key, Set.of(Boolean.toString(value)));
  }

  /// Words all required, "a phrase", -excluded: see [SearchText].
  public QueryBuilder text(String text) {
    SearchText parsed = SearchText.parse(text);
    parsed.words().forEach(this::stem);
    parsed.phrases().forEach(this::stemmedPhrase);
    parsed.excludedWords().forEach(this::excludedStem);
    parsed.excludedPhrases().forEach(this::excludedStemmedPhrase);
    return this;
  }

  /// An already analysed word.
  public QueryBuilder stem(String stem) {
    words.add(stem);
    return this;
  }

  /// Already analysed words with single spaces.
  public QueryBuilder stemmedPhrase(String phrase) {
    phrases.add(phrase);
    return this;
  }

  /// An already analysed excluded word.
  public QueryBuilder excludedStem(String stem) {
    excludedWords.add(stem);
    return this;
  }

  /// Already analysed excluded words with single spaces.
  public QueryBuilder excludedStemmedPhrase(String phrase) {
    excludedPhrases.add(phrase);
    return this;
  }

  public QueryBuilder seller(String id) {
    seller = id;
    return this;
  }

  public QueryBuilder withPhotos(boolean required) {
    withPhotos = required;
    return this;
  }

  public Query build() {
    PriceBounds price =
        currency == null
            ? withoutCurrency()
            : new PriceBounds(currency.toUpperCase(Locale.ROOT), priceFrom, priceTo);
    return new Query(
        category,
        regions,
        price,
        ranges,
        anyOf,
        noneOf,
        words,
        phrases,
        excludedWords,
        excludedPhrases,
        seller,
        withPhotos);
  }

  private @Nullable PriceBounds withoutCurrency() {
    if (priceFrom != Long.MIN_VALUE || priceTo != Long.MAX_VALUE) {
      throw new InvalidQuery("price", "The price range needs a currency.");
    }
    return null;
  }
}
