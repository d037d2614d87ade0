package dev.torg.favorites.service;

import dev.torg.favorites.write.FavoriteCommands.OfferToSave;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.identity.Subject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The ids of a request and their parsed values; an invalid id fails on its own.
final class IdBatch<T> {
  private static final int MAX_IDS = 500;

  private final List<String> requestedIds;
  private final Map<String, T> parsed = new LinkedHashMap<>();

  private IdBatch(List<String> ids) {
    this.requestedIds = ids;
  }

  static <T> IdBatch<T> of(List<String> ids, String field, Function<String, T> parser) {
    if (ids.isEmpty() || ids.size() > MAX_IDS) {
      throw Failure.invalid("batch.size", "bad batch", field, "give 1 to 500 ids");
    }
    IdBatch<T> batch = new IdBatch<>(ids);
    for (String id : ids) {
      try {
        batch.parsed.put(id, parser.apply(id));
      } catch (Failure e) {
        // Reported in the results.
      }
    }
    return batch;
  }

  static IdBatch<OfferId> offers(List<String> ids) {
    return of(ids, "offerIds", OfferId::parse);
  }

  static IdBatch<String> sellers(List<String> ids) {
    return of(ids, "sellerIds", id -> Subject.ofUser(id, "sellerIds"));
  }

  /// Without duplicates.
  List<T> items() {
    return parsed.values().stream().distinct().toList();
  }

  List<ItemResult> results(Set<String> refused) {
    return results(_ -> true, refused);
  }

  /// INVALID for an id that cannot be parsed, NOT_FOUND for one that does not exist, EXHAUSTED for one that a
  /// limit refused.
  List<ItemResult> results(Predicate<T> exists, Set<String> refused) {
    return requestedIds.stream()
        .map(id -> new ItemResult(id, failure(id, exists, refused)))
        .toList();
  }

  private Failure.@Nullable Kind failure(String id, Predicate<T> exists, Set<String> refused) {
    T item = parsed.get(id);
    if (item == null) {
      return Failure.Kind.INVALID;
    }
    if (!exists.test(item)) {
      return Failure.Kind.NOT_FOUND;
    }
    return refused.contains(item.toString()) ? Failure.Kind.EXHAUSTED : null;
  }

  static List<OfferToSave> toSave(List<OfferId> ids, Map<OfferId, OfferToSave> visible) {
    return ids.stream().map(visible::get).filter(Objects::nonNull).toList();
  }
}
