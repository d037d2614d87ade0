package dev.torg.favorites.save;

import dev.torg.favorites.book.Commands.OfferToSave;
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
final class Batch<T> {
  private static final int MOST = 500;

  private final List<String> given;
  private final Map<String, T> meant = new LinkedHashMap<>();

  private Batch(List<String> given) {
    this.given = given;
  }

  static <T> Batch<T> of(List<String> ids, String field, Function<String, T> meaning) {
    if (ids.isEmpty() || ids.size() > MOST) {
      throw Failure.invalid("batch.size", "bad batch", field, "give 1 to 500 ids");
    }
    Batch<T> batch = new Batch<>(ids);
    for (String id : ids) {
      try {
        batch.meant.put(id, meaning.apply(id));
      } catch (Failure e) {
        // Told in the results.
      }
    }
    return batch;
  }

  static Batch<OfferId> offers(List<String> ids) {
    return of(ids, "offerIds", OfferId::parse);
  }

  static Batch<String> sellers(List<String> ids) {
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
    return given.stream().map(id -> new ItemResult(id, failure(id, isThere, refused))).toList();
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
