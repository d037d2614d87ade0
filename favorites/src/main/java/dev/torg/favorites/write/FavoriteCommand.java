package dev.torg.favorites.write;

/// A change of an owner's favorites. It declares the rows it reads, then decides: it changes the unit of
/// work, or throws a failure before it has changed anything.
public interface FavoriteCommand {
  String owner();

  void declareReads(FavoritesReadSet reads);

  FavoriteCommandResult decide(FavoritesUnitOfWork work);
}
