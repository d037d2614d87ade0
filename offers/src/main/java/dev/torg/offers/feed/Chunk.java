package dev.torg.offers.feed;

import dev.torg.offers.category.OfferValidator;
import dev.torg.offers.category.ValidatedOffer;
import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.platform.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Some entries of one upload, checked against the rules of their categories. Of several with one
/// external id only the last that keeps the rules is left.
///
/// @param items by external id
/// @param failures what cannot be taken
/// @param repeated how many were left out for a later one
record Chunk(Map<String, ValidItem> items, List<FeedEntry.Invalid> failures, int repeated) {
  /// An item that conforms to all rules.
  record ValidItem(FeedEntry.Item item, ValidatedOffer checked) {}

  static Chunk of(List<FeedEntry> entries, OfferValidator rules) {
    Map<String, ValidItem> items = new LinkedHashMap<>();
    List<FeedEntry.Invalid> failures = new ArrayList<>();
    int repeated = 0;
    for (FeedEntry entry : entries) {
      switch (entry) {
        case FeedEntry.Item item -> repeated += check(item, rules, items, failures);
        case FeedEntry.Invalid invalid -> failures.add(invalid);
      }
    }
    return new Chunk(items, failures, repeated);
  }

  /// All external ids that occur, those of failures too: their offers are still in the feed.
  List<String> externalIds() {
    List<String> ids = new ArrayList<>(items.keySet());
    failures.stream()
        .map(FeedEntry.Invalid::externalId)
        .filter(id -> !id.isEmpty() && !items.containsKey(id))
        .distinct()
        .forEach(ids::add);
    return ids;
  }

  /// The same in two.
  List<Chunk> halves() {
    List<Map.Entry<String, ValidItem>> all = List.copyOf(items.entrySet());
    int half = all.size() / 2;
    return List.of(
        new Chunk(map(all.subList(0, half)), failures, repeated),
        new Chunk(map(all.subList(half, all.size())), List.of(), 0));
  }

  private static Map<String, ValidItem> map(List<Map.Entry<String, ValidItem>> entries) {
    Map<String, ValidItem> map = new LinkedHashMap<>();
    entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
    return map;
  }

  /// How many it takes the place of.
  private static int check(
      FeedEntry.Item item,
      OfferValidator rules,
      Map<String, ValidItem> items,
      List<FeedEntry.Invalid> failures) {
    try {
      ValidItem validItem = new ValidItem(item, rules.check(item.content()));
      int repeated = items.remove(item.externalId()) == null ? 0 : 1;
      items.put(item.externalId(), validItem);
      return repeated;
    } catch (Failure failure) {
      failures.add(failed(item, failure));
      return 0;
    }
  }

  /// Many items may stand in one line and differ in nothing but their ids.
  private static long fingerprint(FeedEntry.Item item) {
    return 31 * item.hash() + item.externalId().hashCode();
  }

  static FeedEntry.Invalid failed(FeedEntry.Item item, Failure failure) {
    StringBuilder text = new StringBuilder(String.valueOf(failure.getMessage()));
    failure
        .violations()
        .forEach(v -> text.append("; ").append(v.field()).append(' ').append(v.message()));
    return new FeedEntry.Invalid(
        item.line(), item.externalId(), failure.code(), text.toString(), fingerprint(item));
  }
}
