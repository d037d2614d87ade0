package dev.torg.favorites.write;

import dev.torg.platform.Home;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;

/// SQL over merge cursors, in the logins' homes. [#lock] makes a second process of the same merge wait for
/// the first. For the position of this lock see docs/data-model.md#lock-order.
final class MergeCursorStore {
  private static final String LOCK =
      """
      INSERT INTO favorite_move (home, owner, anonymous, rank, favorite_id, offer_id, target)
      VALUES (?, ?, ?, -1, '', '', '')
      ON CONFLICT (home, owner, anonymous) DO UPDATE SET rank = favorite_move.rank
      RETURNING rank, favorite_id, offer_id, target
      """;

  private static final String PUT =
      """
      UPDATE favorite_move SET rank = ?, favorite_id = ?, offer_id = ?, target = ?
       WHERE home = ? AND owner = ? AND anonymous = ?
      """;

  MergeCursor lock(Tx tx, String login, String anonymous) throws SQLException {
    return tx.sql(LOCK)
        .set(Home.of(login))
        .set(login)
        .set(anonymous)
        .first(MergeCursorStore::cursor)
        .orElseThrow();
  }

  void put(Tx tx, String login, String anonymous, MergeCursor cursor) throws SQLException {
    tx.sql(PUT)
        .set(cursor.rank())
        .set(cursor.id())
        .set(cursor.offerId())
        .set(cursor.target())
        .set(Home.of(login))
        .set(login)
        .set(anonymous)
        .update();
  }

  private static MergeCursor cursor(Row row) throws SQLException {
    return new MergeCursor(row.intAt(1), row.textAt(2), row.textAt(3), row.textAt(4));
  }
}
