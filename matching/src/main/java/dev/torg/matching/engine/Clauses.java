package dev.torg.matching.engine;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.OfferText;
import dev.torg.matching.Query;
import dev.torg.matching.feature.Feature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A query clause by clause, each able to test an offer: for explanations and estimates, where clarity counts
/// more than speed.
final class Clauses {
  /// One condition: its canonical text, the features of which it requires any (empty where it
  /// requires something else), the test.
  record Clause(String text, List<Feature> required, Predicate<OfferFeatures> test) {
    boolean holds(OfferFeatures offer) {
      return test.test(offer);
    }
  }

  private final List<Clause> clauses = new ArrayList<>();

  private Clauses() {}

  static List<Clause> of(Query query) {
    List<Clause> all = facts(query);
    all.addAll(text(query));
    return all;
  }

  /// All conditions that can be tested without the offer's text.
  static List<Clause> facts(Query query) {
    Clauses all = new Clauses();
    all.categoryAndRegions(query);
    all.numbers(query);
    query.anyOf().forEach((key, values) -> all.anyOf("attr." + key + "-in", values(key, values)));
    query
        .noneOf()
        .forEach((key, values) -> all.noneOf("attr." + key + "-not-in", values(key, values)));
    return all.clauses;
  }

  static List<Clause> text(Query query) {
    Clauses all = new Clauses();
    query.words().forEach(word -> all.anyOf("text", List.of(Feature.word(word))));
    query.phrases().forEach(phrase -> all.phrase("phrase=" + phrase, phrase, true));
    query.excludedWords().forEach(word -> all.noneOf("text-not", List.of(Feature.word(word))));
    query.excludedPhrases().forEach(phrase -> all.phrase("phrase-not=" + phrase, phrase, false));
    return all.clauses;
  }

  private static List<Feature> values(String key, Collection<String> values) {
    return values.stream().map(value -> Feature.value(key, value)).toList();
  }

  private void categoryAndRegions(Query query) {
    if (query.category() != null) {
      anyOf("category", List.of(Feature.category(query.category())));
    }
    if (!query.regions().isEmpty()) {
      anyOf("region", query.regions().stream().map(Feature::region).toList());
    }
    if (query.seller() != null) {
      anyOf("seller", List.of(Feature.seller(query.seller())));
    }
    if (query.withPhotos()) {
      clauses.add(
          new Clause(
              "photos=true", List.of(Feature.photos()), offer -> has(offer, Feature.photos())));
    }
  }

  private void numbers(Query query) {
    if (query.price() != null) {
      range("price", query.price().field(), query.price().from(), query.price().to());
    }
    query.ranges().forEach((key, range) -> range("attr." + key, key, range.from(), range.to()));
  }

  private void anyOf(String key, List<Feature> features) {
    clauses.add(
        new Clause(
            text(key, features),
            features,
            offer -> features.stream().anyMatch(f -> has(offer, f))));
  }

  private void noneOf(String key, List<Feature> features) {
    clauses.add(
        new Clause(
            text(key, features),
            List.of(),
            offer -> features.stream().noneMatch(f -> has(offer, f))));
  }

  private static String text(String key, List<Feature> features) {
    List<String> shown =
        features.stream()
            .map(
                f ->
                    f.kind() == Feature.Kind.VALUE
                        ? f.text().substring(f.text().indexOf('=') + 1)
                        : f.text())
            .toList();
    return key + "=" + String.join("|", shown);
  }

  private void range(String key, String field, long from, long to) {
    String text =
        key + "=" + (from == Long.MIN_VALUE ? "" : from) + ".." + (to == Long.MAX_VALUE ? "" : to);
    clauses.add(new Clause(text, List.of(), offer -> inRange(offer, field, from, to)));
  }

  private static boolean inRange(OfferFeatures offer, String field, long from, long to) {
    return Stream.of(offer.fields())
        .filter(offered -> offered.name().equals(field))
        .anyMatch(
            offered ->
                Arrays.stream(offered.values()).anyMatch(value -> from <= value && value <= to));
  }

  private void phrase(String text, String phrase, boolean required) {
    List<Feature> words = Compiler.words(phrase);
    List<Feature> features = required ? words.subList(0, 1) : List.of();
    clauses.add(new Clause(text, features, offer -> contains(offer.text(), words) == required));
  }

  private static boolean contains(OfferText text, List<Feature> words) {
    for (int start = 0; start + words.size() <= text.tokens().length; start++) {
      if (occursAt(text, words, start)) {
        return true;
      }
    }
    return false;
  }

  private static boolean occursAt(OfferText text, List<Feature> words, int start) {
    for (int i = 0; i < words.size(); i++) {
      int word = text.wordAt(start + i);
      if (word == OfferText.GAP || !text.words()[word].equals(words.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean has(OfferFeatures offer, Feature feature) {
    Feature[] offered =
        switch (feature.kind()) {
          case WORD -> offer.text().words();
          case CATEGORY -> offer.categories();
          case REGION -> offer.regions();
          case VALUE, SELLER, PHOTOS, NUMBER, PRICE_STEP -> offer.facts();
        };
    for (Feature part : offered) {
      if (part.equals(feature)) {
        return true;
      }
    }
    return false;
  }
}
