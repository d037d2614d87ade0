package dev.torg.favorites.book;

import java.util.Optional;
import java.util.Set;

/// What a command answers: the row it was about, where there is one, and the ids that a limit of their
/// owner refused.
public record Answer(Optional<FavoriteRow> row, Set<String> refused) {
  static final Answer DONE = new Answer(Optional.empty(), Set.of());

  public Answer {
    refused = Set.copyOf(refused);
  }

  static Answer of(FavoriteRow row) {
    return new Answer(Optional.of(row), Set.of());
  }

  static Answer refusing(Set<String> refused) {
    return new Answer(Optional.empty(), refused);
  }
}
