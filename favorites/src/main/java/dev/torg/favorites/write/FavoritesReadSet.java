package dev.torg.favorites.write;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The rows that commands must read before they can be decided.
public final class FavoritesReadSet {
  /// A collection by its name.
  public record Named(String owner, String name) {}

  /// All collection entries of an offer.
  public record EntriesOfOffer(String owner, String offerId) {}

  final Set<String> owners = new LinkedHashSet<>();

  /// Owners whose blocks are counted.
  final Set<String> blocks = new LinkedHashSet<>();

  final Set<FavoriteKey> rows = new LinkedHashSet<>();
  final Set<Named> names = new LinkedHashSet<>();
  final Set<EntriesOfOffer> offers = new LinkedHashSet<>();
  final Set<CollectionEntry> entries = new LinkedHashSet<>();

  List<FavoriteKey> rowList() {
    return new ArrayList<>(rows);
  }
}
