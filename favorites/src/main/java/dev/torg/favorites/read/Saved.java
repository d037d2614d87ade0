package dev.torg.favorites.read;

import dev.torg.favorites.book.FavoriteRow;
import java.util.List;

/// A row as people see it: an offer comes with its note and the ids of its collections.
public record Saved(FavoriteRow row, String note, List<String> collections) {
  public Saved {
    collections = List.copyOf(collections);
  }
}
