package dev.torg.favorites;

import dev.torg.favorites.book.BookStore;
import dev.torg.favorites.book.MoveFavorites;
import dev.torg.favorites.move.MoveProcess;
import dev.torg.platform.db.Database;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.Seq;
import java.time.InstantSource;
import java.util.List;

/// A process that moves somebody in small pages: database, anonymous person, login.
final class MoveUntilKilled {
  private static final int PAGE = 20;

  private MoveUntilKilled() {}

  public static void main(String[] args) {
    InstantSource clock = InstantSource.system();
    try (Database database = Database.connect(args[0], 2)) {
      BookStore books = new BookStore(new Outbox(), new Seq(clock));
      MoveFavorites favorites = new MoveFavorites(database, books, clock, () -> {}, PAGE);
      new MoveProcess(database, List.of(MoveSteps.named("favorites", favorites::page)), clock)
          .move(args[1], args[2]);
    }
  }
}
