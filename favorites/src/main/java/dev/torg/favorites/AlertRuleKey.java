package dev.torg.favorites;

import dev.torg.platform.Home;

/// The key of a search, followed seller, saved offer or block of a recipient.
public record AlertRuleKey(String recipient, FavoriteKind kind, String id) {
  public Home home() {
    return Home.of(recipient);
  }
}
