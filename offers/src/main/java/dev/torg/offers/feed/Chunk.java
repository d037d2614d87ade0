package dev.torg.offers.feed;

import dev.torg.offers.category.OfferValidator;
import dev.torg.offers.category.ValidatedOffer;
import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.platform.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Entries of one upload, validated against their categories. Of several items with one external id, only
/// the last valid one is retained.
///
/// @param items by external id
/// @param failures the invalid entries
/// @param repeated the number of items superseded by a later one
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

  /// All external ids, including those of failures, whose offers are still in the feed.
  List<String> externalIds() {
    List<String> ids = new ArrayList<>(items.keySet());
    failures.stream()
        .map(FeedEntry.Invalid::externalId)
        .filter(id -> !id.isEmpty() && !items.containsKey(id))
        .distinct()
        .forEach(ids::add);
    return ids;
  }

  /// Splits the chunk in two.
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

  /// Returns the number of items superseded by this one.
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

  /// Several items may have the same line number and differ only in their ids.
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
