package dev.torg.favorites;

import dev.torg.platform.Failure;
import java.util.Locale;

/// How many favorites of each kind one owner may have, and how many offers a collection may hold. A request
/// beyond a limit fails with EXHAUSTED and changes nothing; existing favorites can be changed and removed.
/// A login merge loses nothing, so it may exceed the limits of a login; then no further one is admitted.
public record FavoriteLimits(
    int offers,
    int searches,
    int sellers,
    int notes,
    int collections,
    int blocks,
    int collectionOffers) {

  public static final FavoriteLimits USERS =
      new FavoriteLimits(10_000, 1_000, 5_000, 10_000, 500, 5_000, 10_000);

  /// Lower, because a user can have any number of anonymous identities.
  public static final FavoriteLimits ANONYMOUS =
      new FavoriteLimits(1_000, 50, 500, 500, 20, 500, 1_000);

  /// For the login merge.
  public static final FavoriteLimits NONE =
      new FavoriteLimits(
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE);

  public int of(FavoriteKind kind) {
    return switch (kind) {
      case OFFER -> offers;
      case SEARCH -> searches;
      case SELLER -> sellers;
      case NOTE -> notes;
      case COLLECTION -> collections;
      case BLOCK -> blocks;
    };
  }

  public Failure exceeded(FavoriteKind kind) {
    return Failure.exhausted(
        "favorites.limit",
        "there are at most %s %s; remove some before you add more"
            .formatted(String.format(Locale.ROOT, "%,d", of(kind)), plural(kind)));
  }

  private static String plural(FavoriteKind kind) {
    return switch (kind) {
      case OFFER -> "saved offers";
      case SEARCH -> "saved searches";
      case SELLER -> "followed sellers";
      case NOTE -> "notes";
      case COLLECTION -> "collections";
      case BLOCK -> "blocked sellers";
    };
  }
}
