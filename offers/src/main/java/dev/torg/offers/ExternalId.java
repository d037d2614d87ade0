package dev.torg.offers;

import dev.torg.platform.Home;

/// A seller's own id of an offer. Several offers of a seller may have the same one.
public record ExternalId(String seller, String id) {
  public Home home() {
    return Home.of(seller);
  }
}
