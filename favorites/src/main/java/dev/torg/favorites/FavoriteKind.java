package dev.torg.favorites;

/// The kinds of favorites. The tables store the number, which equals that of the API's enum.
public enum FavoriteKind {
  OFFER(1),
  SEARCH(2),
  SELLER(3),
  NOTE(4),
  COLLECTION(5),
  BLOCK(6);

  private final int number;

  FavoriteKind(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  public static FavoriteKind of(int number) {
    return values()[number - 1];
  }

  /// Whether changes are published to [FavoriteTopics#FAVORITES].
  public boolean isPublished() {
    return this == OFFER || this == SEARCH || this == SELLER;
  }
}
