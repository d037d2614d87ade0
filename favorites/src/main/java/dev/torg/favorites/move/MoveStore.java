package dev.torg.favorites.move;

import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Keeps the moves, each in the anonymous person's home. [#start] closes the anonymous side in the
/// same transaction.
final class MoveStore {
  private static final String ADD_OWNER =
      """
      INSERT INTO favorite_owner
        (home, owner, offers, searches, sellers, notes, collections, seq, token)
      VALUES (?, ?, 0, 0, 0, 0, 0, 0, 0) ON CONFLICT (home, owner) DO NOTHING
      """;

  private static final String CLOSE =
      """
      UPDATE favorite_owner SET moved_to = ?
       WHERE home = ? AND owner = ? AND (moved_to IS NULL OR moved_to = ?)
      """;

  private static final String ADD =
      """
      INSERT INTO move (home, anonymous, login, step, started_at, moved)
      VALUES (?, ?, ?, 0, ?, '{0,0,0,0,0,0}') ON CONFLICT (home, anonymous) DO NOTHING
      """;

  private static final String FIND =
      """
      SELECT anonymous, login, step, finished_at IS NOT NULL,
             moved[1], moved[2], moved[3], moved[4], moved[5]
        FROM move WHERE home = ? AND anonymous = ?
      """;

  private static final String ADVANCE =
      "UPDATE move SET step = step + 1 WHERE home = ? AND anonymous = ? AND step = ?";

  private static final String FINISH =
      "UPDATE move SET finished_at = ? WHERE home = ? AND anonymous = ? AND finished_at IS NULL";

  private static final String UNFINISHED =
      """
      SELECT anonymous FROM move
       WHERE home = ? AND finished_at IS NULL AND started_at < ? ORDER BY started_at LIMIT ?
      """;

  private static final String HOMES_UNFINISHED =
      """
      SELECT DISTINCT home FROM move
       WHERE home = ANY (?::int[]) AND finished_at IS NULL AND started_at < ?
      """;

  /// A move and how far it is.
  record Move(
      String anonymous,
      String login,
      int step,
      boolean finished,
      Map<FavoriteKind, Integer> moved) {}

  /// From here on the anonymous side takes nothing. Starting again changes nothing.
  void start(Tx tx, String anonymous, String login, Instant now) throws SQLException {
    Home home = Home.of(anonymous);
    tx.sql(ADD_OWNER).set(home).set(anonymous).update();
    int closed = tx.sql(CLOSE).set(login).set(home).set(anonymous).set(login).update();
    if (closed == 0) {
      throw Failure.conflict(
          "identity.moved", "this anonymous identity has moved to another login");
    }
    tx.sql(ADD).set(home).set(anonymous).set(login).set(now).update();
  }

  Optional<Move> find(Tx tx, String anonymous) throws SQLException {
    return tx.sql(FIND).set(Home.of(anonymous)).set(anonymous).first(MoveStore::move);
  }

  void advance(Tx tx, Move move) throws SQLException {
    tx.sql(ADVANCE).set(Home.of(move.anonymous())).set(move.anonymous()).set(move.step()).update();
  }

  void finish(Tx tx, Move move, Instant now) throws SQLException {
    tx.sql(FINISH).set(now).set(Home.of(move.anonymous())).set(move.anonymous()).update();
  }

  List<String> unfinished(Tx tx, Home home, Instant startedBefore, int atMost) throws SQLException {
    return tx.sql(UNFINISHED).set(home).set(startedBefore).set(atMost).list(row -> row.textAt(1));
  }

  List<Home> homesUnfinished(Tx tx, List<Home> homes, Instant startedBefore) throws SQLException {
    return tx.sql(HOMES_UNFINISHED)
        .ints(homes, Home::number)
        .set(startedBefore)
        .list(row -> row.homeAt(1));
  }

  private static Move move(Row row) throws SQLException {
    Map<FavoriteKind, Integer> moved = new EnumMap<>(FavoriteKind.class);
    moved.put(FavoriteKind.OFFER, row.intAt(5));
    moved.put(FavoriteKind.SEARCH, row.intAt(6));
    moved.put(FavoriteKind.SELLER, row.intAt(7));
    moved.put(FavoriteKind.NOTE, row.intAt(8));
    moved.put(FavoriteKind.COLLECTION, row.intAt(9));
    return new Move(row.textAt(1), row.textAt(2), row.intAt(3), row.booleanAt(4), moved);
  }
}
