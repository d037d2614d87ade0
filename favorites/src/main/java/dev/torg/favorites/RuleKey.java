package dev.torg.favorites;

import dev.torg.platform.Home;

/// A reason for telling a reader, or not: their search, followed seller, saved offer or block.
public record RuleKey(String reader, FavoriteKind kind, String id) {
  public Home home() {
    return Home.of(reader);
  }
}
