package dev.torg.favorites;

import dev.torg.platform.Caller;

/// How many batches write and read at once, each on a connection of its own, how many alerts a day a
/// search may bring to be delivered at once, and how much people may save.
///
/// @param users limits of everybody but anonymous identities
/// @param anonymous limits of an anonymous identity
public record FavoriteSettings(
    int writers,
    int readers,
    double maxInstantAlertsPerDay,
    FavoriteLimits users,
    FavoriteLimits anonymous) {
  public static final FavoriteSettings DEFAULTS =
      new FavoriteSettings(2, 2, 500, FavoriteLimits.USERS, FavoriteLimits.ANONYMOUS);

  public FavoriteSettings withLimits(FavoriteLimits ofUsers, FavoriteLimits ofAnonymous) {
    return new FavoriteSettings(writers, readers, maxInstantAlertsPerDay, ofUsers, ofAnonymous);
  }

  public FavoriteLimits limits(String owner) {
    return owner.startsWith(Caller.ANONYMOUS_PREFIX) ? anonymous : users;
  }
}
