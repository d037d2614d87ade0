package dev.torg.favorites.write;

import java.util.Optional;
import java.util.Set;

/// The result of a command: the row it changed, if it is about one, and the ids that exceed a limit of
/// their owner.
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
