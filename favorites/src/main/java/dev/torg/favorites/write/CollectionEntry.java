package dev.torg.favorites.write;

import dev.torg.platform.Home;

/// An offer in a collection.
public record CollectionEntry(String owner, String collection, String offerId) {
  public Home home() {
    return Home.of(owner);
  }
}
