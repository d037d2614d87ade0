package dev.torg.favorites.read;

import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.Home;
import java.time.Instant;

/// Which rows of whom: those before the cursor and after the given time, newest first.
record PageKey(
    String owner, FavoriteKind kind, FavoriteCursor cursor, Instant createdAfter, int limit) {
  Home home() {
    return Home.of(owner);
  }
}
