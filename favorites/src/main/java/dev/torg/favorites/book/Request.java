package dev.torg.favorites.book;

import dev.torg.platform.coalesce.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A command on its way, with the token by which its effect can be found again, and what was decided
/// at the last attempt.
final class Request {
  final Command command;
  final long token;
  final Instant at;
  volatile @Nullable Outcome<Answer> decided;

  Request(Command command, long token, Instant at) {
    this.command = command;
    this.token = token;
    this.at = at;
  }
}
