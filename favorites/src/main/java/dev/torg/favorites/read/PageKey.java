package dev.torg.favorites.read;

import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.Home;
import java.time.Instant;

/// A page of an owner's favorites of one kind: those after the cursor and newer than the given time, newest
/// first.
record PageKey(
    String owner, FavoriteKind kind, FavoriteCursor cursor, Instant createdAfter, int limit) {
  Home home() {
    return Home.of(owner);
  }
}
