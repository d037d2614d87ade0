package dev.torg.favorites.write;

import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.Home;

/// The key of a favorite: owner, kind, id.
public record FavoriteKey(String owner, FavoriteKind kind, String id) {
  public Home home() {
    return Home.of(owner);
  }

  public FavoriteKey of(String newOwner) {
    return new FavoriteKey(newOwner, kind, id);
  }
}
