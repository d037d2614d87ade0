package dev.torg.favorites;

import dev.torg.platform.Home;

/// A reason for telling a reader, or not: their search, followed seller, saved offer or block.
public record AlertRuleKey(String recipient, FavoriteKind kind, String id) {
  public Home home() {
    return Home.of(recipient);
  }
}
