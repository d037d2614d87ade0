package dev.torg.favorites.write;

import dev.torg.platform.coalesce.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A submitted command, the token that identifies its effect after an unknown COMMIT, and the outcome of
/// the last attempt.
final class FavoriteWriteRequest {
  final FavoriteCommand command;
  final long token;
  final Instant at;
  volatile @Nullable Outcome<FavoriteCommandResult> decided;

  FavoriteWriteRequest(FavoriteCommand command, long token, Instant at) {
    this.command = command;
    this.token = token;
    this.at = at;
  }
}
