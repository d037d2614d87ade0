package dev.torg.favorites.book;

import dev.torg.platform.Home;

/// An offer's place in a collection.
public record Place(String owner, String collection, String offerId) {
  public Home home() {
    return Home.of(owner);
  }
}
