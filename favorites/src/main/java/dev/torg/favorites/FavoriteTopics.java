package dev.torg.favorites;

/// The Kafka topics that this module writes.
public final class FavoriteTopics {
  /// Events of saved offers, searches and sellers, keyed by owner.
  public static final String FAVORITES = "torg.favorites";

  /// Events of distinct searches: one with a first subscriber, one without subscribers.
  public static final String SEARCHES = "torg.searches";

  private FavoriteTopics() {}
}
