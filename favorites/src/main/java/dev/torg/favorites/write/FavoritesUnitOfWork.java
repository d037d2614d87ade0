package dev.torg.favorites.write;

import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.FavoriteLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Rows of some owners as loaded under the owners' locks, and as changed by commands. [FavoritesStore]
/// writes the difference. Counts follow from the rows, sizes of collections from their entries.
public final class FavoritesUnitOfWork {
  /// A row before and after; null where there is none.
  record RowChange(@Nullable FavoriteRow before, @Nullable FavoriteRow after) {
    RowChange become(@Nullable FavoriteRow row) {
      return new RowChange(before, row);
    }

    boolean isChanged() {
      return !Objects.equals(before, after);
    }
  }

  /// An entry of a collection before and after, by the time it was added; null where there is none.
  record EntryChange(@Nullable Instant before, @Nullable Instant after) {}

  private final Function<String, FavoriteLimits> limits;
  private final Map<String, OwnerRow> owners = new HashMap<>();
  private final Map<FavoriteKey, RowChange> rows = new LinkedHashMap<>();
  private final Map<CollectionEntry, EntryChange> entries = new LinkedHashMap<>();
  private final List<FavoriteKey> cleared = new ArrayList<>();

  FavoritesUnitOfWork(Function<String, FavoriteLimits> limits) {
    this.limits = limits;
  }

  void loaded(OwnerRow owner) {
    owners.put(owner.owner, owner);
  }

  void loaded(FavoriteRow row) {
    rows.put(row.key(), new RowChange(row, row));
  }

  void loaded(CollectionEntry entry, Instant at) {
    entries.put(entry, new EntryChange(at, at));
  }

  OwnerRow owner(String owner) {
    return Objects.requireNonNull(owners.get(owner), owner);
  }

  /// The row as it is now.
  Optional<FavoriteRow> row(FavoriteKey key) {
    RowChange rowChange = rows.get(key);
    return rowChange == null ? Optional.empty() : Optional.ofNullable(rowChange.after);
  }

  Optional<FavoriteRow> collectionNamed(String owner, String name) {
    return rows.values().stream()
        .map(RowChange::after)
        .filter(Objects::nonNull)
        .filter(row -> row.kind() == FavoriteKind.COLLECTION && row.owner().equals(owner))
        .filter(row -> row.name().equals(name))
        .findFirst();
  }

  /// Whether a row is new and would exceed its owner's limit.
  boolean isBeyondLimit(FavoriteKey key) {
    int count = owner(key.owner()).count(key.kind());
    return row(key).isEmpty() && count >= limits.apply(key.owner()).of(key.kind());
  }

  void requireWithinLimit(FavoriteKey key) {
    if (isBeyondLimit(key)) {
      throw limits.apply(key.owner()).exceeded(key.kind());
    }
  }

  /// Whether one more offer would exceed the limit of a collection.
  boolean isFull(FavoriteRow collection) {
    return collection.size() >= limits.apply(collection.owner()).collectionOffers();
  }

  boolean isInCollection(CollectionEntry collectionEntry) {
    EntryChange change = entries.get(collectionEntry);
    return change != null && change.after != null;
  }

  void put(FavoriteRow row) {
    RowChange rowChange = rows.getOrDefault(row.key(), new RowChange(null, null));
    if (rowChange.after == null) {
      owner(row.owner()).add(row.kind(), 1);
    }
    rows.put(row.key(), rowChange.become(row));
    owner(row.owner()).changed = true;
  }

  void remove(FavoriteKey key) {
    RowChange rowChange = rows.get(key);
    if (rowChange != null && rowChange.after != null) {
      owner(key.owner()).add(key.kind(), -1);
      owner(key.owner()).changed = true;
      rows.put(key, rowChange.become(null));
    }
  }

  /// Adds an offer to a collection that is loaded.
  void addToCollection(CollectionEntry collectionEntry, Instant at) {
    EntryChange change = entries.getOrDefault(collectionEntry, new EntryChange(null, null));
    if (change.after == null) {
      entries.put(collectionEntry, new EntryChange(change.before, at));
      resize(collectionEntry, 1);
    }
  }

  void removeFromCollection(CollectionEntry collectionEntry) {
    EntryChange change = entries.get(collectionEntry);
    if (change != null && change.after != null) {
      entries.put(collectionEntry, new EntryChange(change.before, null));
      resize(collectionEntry, -1);
    }
  }

  /// Removes an offer from all collections.
  void removeFromAllCollections(String owner, String offerId) {
    List<CollectionEntry> all =
        entries.keySet().stream()
            .filter(
                collectionEntry ->
                    collectionEntry.owner().equals(owner)
                        && collectionEntry.offerId().equals(offerId))
            .toList();
    all.forEach(this::removeFromCollection);
  }

  /// Removes a collection with all its entries, loaded or not.
  void clear(FavoriteKey collection) {
    remove(collection);
    entries.keySet().removeIf(collectionEntry -> isIn(collectionEntry, collection));
    cleared.add(collection);
  }

  private static boolean isIn(CollectionEntry collectionEntry, FavoriteKey collection) {
    return collectionEntry.owner().equals(collection.owner())
        && collectionEntry.collection().equals(collection.id());
  }

  private void resize(CollectionEntry collectionEntry, int by) {
    FavoriteKey key =
        new FavoriteKey(
            collectionEntry.owner(), FavoriteKind.COLLECTION, collectionEntry.collection());
    row(key).ifPresent(row -> put(row.size(row.size() + by)));
  }

  List<OwnerRow> changedOwners() {
    return owners.values().stream().filter(owner -> owner.changed).toList();
  }

  List<RowChange> changedRows() {
    return rows.values().stream().filter(RowChange::isChanged).toList();
  }

  Map<CollectionEntry, EntryChange> entries() {
    return entries;
  }

  List<FavoriteKey> cleared() {
    return cleared;
  }
}
