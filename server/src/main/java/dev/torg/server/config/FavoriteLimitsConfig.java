package dev.torg.server.config;

import dev.torg.favorites.FavoriteLimits;

/// How much users and anonymous identities may save.
public record FavoriteLimitsConfig(FavoriteLimits users, FavoriteLimits anonymous) {
  private static final int MAX = 1_000_000;

  static FavoriteLimitsConfig of(SettingReader read) {
    return new FavoriteLimitsConfig(
        new FavoriteLimits(
            count(read, Setting.FAVORITES_MAX_OFFERS),
            count(read, Setting.FAVORITES_MAX_SEARCHES),
            count(read, Setting.FAVORITES_MAX_SELLERS),
            count(read, Setting.FAVORITES_MAX_NOTES),
            count(read, Setting.FAVORITES_MAX_COLLECTIONS),
            count(read, Setting.FAVORITES_MAX_BLOCKS),
            count(read, Setting.FAVORITES_MAX_COLLECTION_OFFERS)),
        new FavoriteLimits(
            count(read, Setting.ANONYMOUS_FAVORITES_MAX_OFFERS),
            count(read, Setting.ANONYMOUS_FAVORITES_MAX_SEARCHES),
            count(read, Setting.ANONYMOUS_FAVORITES_MAX_SELLERS),
            count(read, Setting.ANONYMOUS_FAVORITES_MAX_NOTES),
            count(read, Setting.ANONYMOUS_FAVORITES_MAX_COLLECTIONS),
            count(read, Setting.ANONYMOUS_FAVORITES_MAX_BLOCKS),
            count(read, Setting.ANONYMOUS_FAVORITES_MAX_COLLECTION_OFFERS)));
  }

  private static int count(SettingReader read, Setting setting) {
    return read.number(setting, 0, MAX);
  }
}
