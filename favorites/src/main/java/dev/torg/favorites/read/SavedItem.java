package dev.torg.favorites.read;

import dev.torg.favorites.write.FavoriteRow;
import java.util.List;

/// A favorite; an offer with its note and the ids of its collections.
public record SavedItem(FavoriteRow row, String note, List<String> collections) {
  public SavedItem {
    collections = List.copyOf(collections);
  }
}
