package dev.torg.favorites.book;

import java.util.Optional;

/// What a command answers: the row it was about, where there is one.
public record Answer(Optional<FavoriteRow> row) {
  static final Answer DONE = new Answer(Optional.empty());

  static Answer of(FavoriteRow row) {
    return new Answer(Optional.of(row));
  }
}
