package dev.torg.favorites;

/// What can be saved. The number is what the tables hold, and is that of the wire where there is one.
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

  /// Whether changes of it are told on the topic.
  public boolean isPublished() {
    return this == OFFER || this == SEARCH || this == SELLER;
  }
}
