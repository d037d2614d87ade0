package dev.torg.favorites.write;

import java.util.Optional;
import java.util.Set;

/// What a command answers: the row it was about, where there is one, and the ids that a limit of their
/// owner refused.
public record FavoriteCommandResult(Optional<FavoriteRow> row, Set<String> refused) {
  static final FavoriteCommandResult DONE = new FavoriteCommandResult(Optional.empty(), Set.of());

  public FavoriteCommandResult {
    refused = Set.copyOf(refused);
  }

  static FavoriteCommandResult of(FavoriteRow row) {
    return new FavoriteCommandResult(Optional.of(row), Set.of());
  }

  static FavoriteCommandResult refusing(Set<String> refused) {
    return new FavoriteCommandResult(Optional.empty(), refused);
  }
}
