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

/// The ids of a request and what they mean; an id that means nothing fails alone.
final class IdBatch<T> {
  private static final int MAX_IDS = 500;

  private final List<String> requestedIds;
  private final Map<String, T> meant = new LinkedHashMap<>();

  private IdBatch(List<String> given) {
    this.requestedIds = given;
  }

  static <T> IdBatch<T> of(List<String> ids, String field, Function<String, T> meaning) {
    if (ids.isEmpty() || ids.size() > MAX_IDS) {
      throw Failure.invalid("batch.size", "bad batch", field, "give 1 to 500 ids");
    }
    IdBatch<T> batch = new IdBatch<>(ids);
    for (String id : ids) {
      try {
        batch.meant.put(id, meaning.apply(id));
      } catch (Failure e) {
        // Told in the results.
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

  /// Each once.
  List<T> items() {
    return meant.values().stream().distinct().toList();
  }

  List<ItemResult> results(Set<String> refused) {
    return results(_ -> true, refused);
  }

  /// INVALID where an id means nothing, NOT_FOUND where what it means is not there, EXHAUSTED where a
  /// limit refused it.
  List<ItemResult> results(Predicate<T> isThere, Set<String> refused) {
    return requestedIds.stream()
        .map(id -> new ItemResult(id, failure(id, isThere, refused)))
        .toList();
  }

  private Failure.@Nullable Kind failure(String id, Predicate<T> isThere, Set<String> refused) {
    T item = meant.get(id);
    if (item == null) {
      return Failure.Kind.INVALID;
    }
    if (!isThere.test(item)) {
      return Failure.Kind.NOT_FOUND;
    }
    return refused.contains(item.toString()) ? Failure.Kind.EXHAUSTED : null;
  }

  static List<OfferToSave> toSave(List<OfferId> ids, Map<OfferId, OfferToSave> known) {
    return ids.stream().map(known::get).filter(Objects::nonNull).toList();
  }
}
