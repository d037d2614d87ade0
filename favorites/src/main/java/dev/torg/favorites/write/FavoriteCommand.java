package dev.torg.favorites.write;

/// One thing that a person does to what they saved. It asks for what it has to see, then decides: it
/// changes the book, or throws a failure before it has changed anything.
public interface FavoriteCommand {
  String owner();

  void declareReads(FavoritesReadSet needs);

  FavoriteCommandResult decide(FavoritesUnitOfWork book);
}
