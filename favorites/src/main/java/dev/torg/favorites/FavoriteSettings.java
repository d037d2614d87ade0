package dev.torg.favorites;

/// How many batches write and read at once, each on a connection of its own, and how many alerts a
/// day a search may bring to be delivered at once.
public record FavoriteSettings(int writers, int readers, double mostInstantAlertsPerDay) {
  public static final FavoriteSettings USUAL = new FavoriteSettings(2, 2, 500);
}
