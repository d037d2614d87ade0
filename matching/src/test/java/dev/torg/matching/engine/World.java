package dev.torg.matching.engine;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.QueryBuilder;
import dev.torg.matching.text.TextAnalysis;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A small world with many collisions: few words, regions and values, so that random queries and
/// offers often match, and a brute-force oracle of whether they do.
final class World {
  private static final List<String> WORDS =
      List.of(
          "alpha",
          "beta",
          "gamma",
          "delta",
          "красный",
          "велосипед",
          "new",
          "100",
          "km",
          "x5",
          "wi-fi",
          "Ёлка");
  private static final List<List<String>> CATEGORIES =
      List.of(
          List.of("transport"),
          List.of("transport", "cars"),
          List.of("transport", "bikes"),
          List.of("home", "sofas", "corner"));
  private static final List<String> REGIONS =
      List.of("de", "de/hessen", "de/hessen/65474", "de/bayern", "ru/moscow", "ru");
  private static final List<String> KEYS = List.of("brand", "size", "color");
  private static final List<String> VALUES = List.of("A", "b", "C c", "d", "1", "2.5");
  private static final List<String> NUMBERS = List.of("year", "areaM2", "size");
  private static final List<String> CURRENCIES = List.of("EUR", "RUB");

  record Range(@Nullable BigDecimal from, @Nullable BigDecimal to) {}

  record Phrase(String text) {}

  /// A search as a user enters it.
  static final class SearchInput {
    @Nullable String category;
    List<String> regions = new ArrayList<>();
    @Nullable String currency;
    @Nullable Long priceFrom;
    @Nullable Long priceTo;
    Map<String, Range> ranges = new TreeMap<>();
    Map<String, List<String>> anyOf = new TreeMap<>();
    Map<String, List<String>> noneOf = new TreeMap<>();
    List<String> words = new ArrayList<>();
    List<String> phrases = new ArrayList<>();
    List<String> excludedWords = new ArrayList<>();
    List<String> excludedPhrases = new ArrayList<>();
    @Nullable String seller;
    boolean photos;

    String line() {
      List<String> parts = new ArrayList<>(words);
      phrases.forEach(phrase -> parts.add("\"" + phrase + "\""));
      excludedWords.forEach(word -> parts.add("-" + word));
      excludedPhrases.forEach(phrase -> parts.add("-\"" + phrase + "\""));
      return String.join(" ", parts);
    }

    Query query() {
      QueryBuilder query = Query.builder().text(line()).withPhotos(photos);
      if (category != null) {
        query.category(category);
      }
      regions.forEach(query::region);
      if (currency != null) {
        query.price(currency, priceFrom, priceTo);
      }
      ranges.forEach((key, range) -> query.range(key, range.from, range.to));
      anyOf.forEach(query::anyOf);
      noneOf.forEach(query::noneOf);
      if (seller != null) {
        query.seller(seller);
      }
      return query.build();
    }
  }

  /// An offer as a seller publishes it.
  static final class OfferInput {
    List<String> categories = List.of();
    @Nullable String region;
    @Nullable String currency;
    long price;
    Map<String, List<BigDecimal>> numbers = new TreeMap<>();
    Map<String, List<String>> values = new TreeMap<>();
    String title = "";
    String description = "";
    @Nullable String seller;
    boolean photos;

    OfferFeatures features() {
      OfferFeatures.Builder offer =
          OfferFeatures.builder()
              .categoryPath(categories)
              .title(title)
              .description(description)
              .photos(photos);
      if (region != null) {
        offer.region(region);
      }
      if (currency != null) {
        offer.price(price, currency);
      }
      numbers.forEach((key, all) -> all.forEach(number -> offer.number(key, number)));
      values.forEach((key, all) -> all.forEach(value -> offer.value(key, value)));
      if (seller != null) {
        offer.seller(seller);
      }
      return offer.build();
    }
  }

  private final Random random;

  World(long seed) {
    random = new Random(seed);
  }

  /// The oracle: what the engine must return, as plainly as possible.
  static boolean satisfies(SearchInput search, OfferInput offer) {
    return inCategoryAndRegion(search, offer)
        && inNumbers(search, offer)
        && inValues(search, offer)
        && inText(search, offer);
  }

  private static boolean inCategoryAndRegion(SearchInput search, OfferInput offer) {
    boolean category = search.category == null || offer.categories.contains(search.category);
    boolean region =
        search.regions.isEmpty()
            || (offer.region != null
                && search.regions.stream()
                    .anyMatch(r -> offer.region.equals(r) || offer.region.startsWith(r + "/")));
    boolean seller = search.seller == null || search.seller.equals(offer.seller);
    return category && region && seller && (!search.photos || offer.photos);
  }

  private static boolean inNumbers(SearchInput search, OfferInput offer) {
    if (search.currency != null && (search.priceFrom != null || search.priceTo != null)) {
      boolean priced =
          search.currency.equals(offer.currency)
              && (search.priceFrom == null || offer.price >= search.priceFrom)
              && (search.priceTo == null || offer.price <= search.priceTo);
      if (!priced) {
        return false;
      }
    }
    return search.ranges.entrySet().stream()
        .allMatch(e -> inRange(e.getValue(), offer.numbers.getOrDefault(e.getKey(), List.of())));
  }

  private static boolean inRange(Range range, List<BigDecimal> numbers) {
    if (range.from == null && range.to == null) {
      return true;
    }
    return numbers.stream()
        .anyMatch(
            n ->
                (range.from == null || n.compareTo(range.from) >= 0)
                    && (range.to == null || n.compareTo(range.to) <= 0));
  }

  private static boolean inValues(SearchInput search, OfferInput offer) {
    return search.anyOf.entrySet().stream()
            .allMatch(e -> e.getValue().stream().anyMatch(v -> has(offer, e.getKey(), v)))
        && search.noneOf.entrySet().stream()
            .noneMatch(e -> e.getValue().stream().anyMatch(v -> has(offer, e.getKey(), v)));
  }

  private static boolean has(OfferInput offer, String key, String value) {
    return offer.values.getOrDefault(key, List.of()).stream()
            .anyMatch(v -> v.equalsIgnoreCase(value))
        || offer.numbers.getOrDefault(key, List.of()).stream()
            .anyMatch(n -> n.toPlainString().equals(value));
  }

  private static boolean inText(SearchInput search, OfferInput offer) {
    List<String> title = TextAnalysis.stems(offer.title);
    List<String> description = TextAnalysis.stems(offer.description);
    return search.words.stream().allMatch(w -> contains(title, description, w))
        && search.phrases.stream().allMatch(p -> contains(title, description, p))
        && search.excludedWords.stream().noneMatch(w -> contains(title, description, w))
        && search.excludedPhrases.stream().noneMatch(p -> contains(title, description, p));
  }

  private static boolean contains(List<String> title, List<String> description, String text) {
    List<String> stems = TextAnalysis.stems(text);
    return Collections.indexOfSubList(title, stems) >= 0
        || Collections.indexOfSubList(description, stems) >= 0;
  }

  SearchInput searchInput() {
    while (true) {
      SearchInput search = new SearchInput();
      fill(search);
      boolean positive =
          search.category != null
              || !search.regions.isEmpty()
              || search.seller != null
              || search.photos
              || !search.words.isEmpty()
              || !search.phrases.isEmpty()
              || !search.anyOf.isEmpty()
              || (search.currency != null && (search.priceFrom != null || search.priceTo != null))
              || search.ranges.values().stream().anyMatch(r -> r.from != null || r.to != null);
      if (positive) {
        return search;
      }
    }
  }

  private void fill(SearchInput search) {
    if (chance(40)) {
      search.category = pick(pick(CATEGORIES));
    }
    search.regions = subset(30, 3, REGIONS);
    if (chance(25)) {
      search.currency = pick(CURRENCIES);
      search.priceFrom = chance(50) ? (long) random.nextInt(20) * 100 : null;
      search.priceTo =
          chance(50)
              ? (search.priceFrom == null ? 0 : search.priceFrom) + random.nextInt(20) * 100L
              : null;
    }
    for (String key : subset(20, 2, NUMBERS)) {
      BigDecimal from = chance(60) ? number() : null;
      search.ranges.put(
          key,
          new Range(
              from, chance(60) ? (from == null ? number() : from.add(number().abs())) : null));
    }
    subset(25, 2, KEYS).forEach(key -> search.anyOf.put(key, atLeastOne(4, VALUES)));
    subset(15, 2, KEYS).forEach(key -> search.noneOf.put(key, atLeastOne(2, VALUES)));
    search.words = subset(35, 3, WORDS.stream().filter(w -> !w.equals("km")).toList());
    search.excludedWords = subset(15, 2, WORDS);
    search.phrases =
        IntStream.range(0, chance(15) ? 1 + random.nextInt(2) : 0)
            .mapToObj(i -> phrase())
            .collect(Collectors.toList());
    search.excludedPhrases =
        IntStream.range(0, chance(10) ? 1 : 0).mapToObj(i -> phrase()).collect(Collectors.toList());
    search.seller = chance(5) ? "user:" + random.nextInt(3) : null;
    search.photos = chance(10);
  }

  OfferInput offerInput() {
    OfferInput offer = new OfferInput();
    offer.categories = chance(90) ? pick(CATEGORIES) : List.of();
    offer.region = chance(85) ? pick(REGIONS) : null;
    if (chance(80)) {
      offer.currency = pick(CURRENCIES);
      offer.price = random.nextInt(40) * 100L;
    }
    subset(70, 3, NUMBERS)
        .forEach(
            key ->
                offer.numbers.put(
                    key, chance(80) ? List.of(number()) : List.of(number(), number())));
    subset(70, 3, KEYS).forEach(key -> offer.values.put(key, atLeastOne(2, VALUES)));
    offer.title = text(6);
    offer.description = text(chance(5) ? 400 : 15);
    offer.seller = chance(90) ? "user:" + random.nextInt(3) : null;
    offer.photos = chance(60);
    return offer;
  }

  private String phrase() {
    return IntStream.range(0, 2 + random.nextInt(2))
        .mapToObj(i -> pick(WORDS))
        .collect(Collectors.joining(" "));
  }

  private String text(int max) {
    return IntStream.range(0, random.nextInt(max + 1))
        .mapToObj(i -> pick(WORDS))
        .collect(Collectors.joining(chance(50) ? " " : ", "));
  }

  private BigDecimal number() {
    BigDecimal number =
        BigDecimal.valueOf(random.nextInt(100) - 10L, random.nextInt(2)).stripTrailingZeros();
    return number.signum() == 0 ? BigDecimal.ZERO : new BigDecimal(number.toPlainString());
  }

  private List<String> subset(int percent, int max, List<String> from) {
    return chance(percent) ? atLeastOne(max, from) : new ArrayList<>();
  }

  private List<String> atLeastOne(int max, List<String> from) {
    return IntStream.range(0, 1 + random.nextInt(max))
        .mapToObj(i -> pick(from))
        .collect(Collectors.toList());
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
