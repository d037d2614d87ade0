package dev.torg.favorites;

import dev.torg.favorites.merge.LoginMergeProcess;
import dev.torg.favorites.write.FavoritesMergeStep;
import dev.torg.favorites.write.FavoritesStore;
import dev.torg.platform.db.Database;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.Outbox;
import java.time.InstantSource;
import java.util.List;

/// A process that merges an anonymous user into a login in small pages. Arguments: database, anonymous user,
/// login.
final class LoginMergeUntilKilled {
  private static final int PAGE_SIZE = 20;

  private LoginMergeUntilKilled() {}

  public static void main(String[] args) {
    InstantSource clock = InstantSource.system();
    try (Database database = Database.connect(args[0], 2)) {
      FavoritesStore books = new FavoritesStore(new Outbox(), new EventSequence(clock));
      FavoritesMergeStep favorites =
          new FavoritesMergeStep(database, books, clock, () -> {}, PAGE_SIZE);
      new LoginMergeProcess(
              database, List.of(LoginMergeStep.named("favorites", favorites::page)), clock)
          .merge(args[1], args[2]);
    }
  }
}
