package dev.torg.favorites;

import dev.torg.platform.Caller;

/// Settings of the module.
///
/// @param writers concurrent write batches, each with a connection
/// @param readers concurrent read batches, each with a connection
/// @param maxInstantAlertsPerDay a search with more is delivered DAILY
/// @param users limits of a logged-in user
/// @param anonymous limits of an anonymous identity
public record FavoriteSettings(
    int writers,
    int readers,
    double maxInstantAlertsPerDay,
    FavoriteLimits users,
    FavoriteLimits anonymous) {
  public static FavoriteSettings defaults() {
    return new FavoriteSettings(2, 2, 500, FavoriteLimits.USERS, FavoriteLimits.ANONYMOUS);
  }

  public FavoriteSettings withLimits(FavoriteLimits ofUsers, FavoriteLimits ofAnonymous) {
    return new FavoriteSettings(writers, readers, maxInstantAlertsPerDay, ofUsers, ofAnonymous);
  }

  public FavoriteLimits limits(String owner) {
    return owner.startsWith(Caller.ANONYMOUS_PREFIX) ? anonymous : users;
  }
}
