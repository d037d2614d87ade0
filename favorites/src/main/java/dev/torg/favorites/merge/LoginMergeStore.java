package dev.torg.favorites.merge;

import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.Home;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import dev.torg.platform.identity.MergedIdentity;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// SQL over login merges, each in the home of its anonymous identity. [#start] closes the anonymous side in
/// the same transaction.
final class LoginMergeStore {
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
      """
      UPDATE move SET step = step + 1, attempts = 0 WHERE home = ? AND anonymous = ? AND step = ?
      """;

  private static final String FINISH =
      "UPDATE move SET finished_at = ? WHERE home = ? AND anonymous = ? AND finished_at IS NULL";

  /// Started before the first time, and not deferred beyond the second.
  private static final String IS_DUE =
      "finished_at IS NULL AND started_at < ? AND (next_try IS NULL OR next_try <= ?)";

  private static final String DUE =
      """
      SELECT anonymous, attempts FROM move
       WHERE home = ? AND %s ORDER BY coalesce(next_try, started_at), anonymous LIMIT ?
      """
          .formatted(IS_DUE);

  private static final String HOMES_DUE =
      "SELECT DISTINCT home FROM move WHERE home = ANY (?::int[]) AND " + IS_DUE;

  private static final String DEFER =
      """
      UPDATE move SET attempts = ?, next_try = ?
       WHERE home = ? AND anonymous = ? AND finished_at IS NULL AND attempts = ?
      """;

  /// A merge to resume, and the attempts of the job since its last completed step.
  record DueMerge(String anonymous, int attempts) {}

  /// A merge and its progress.
  record MergeProgress(
      String anonymous,
      String login,
      int step,
      boolean finished,
      Map<FavoriteKind, Integer> moved) {}

  /// Closes the anonymous side for writes. Idempotent.
  void start(Tx tx, String anonymous, String login, Instant now) throws SQLException {
    Home home = Home.of(anonymous);
    tx.sql(ADD_OWNER).set(home).set(anonymous).update();
    int closed = tx.sql(CLOSE).set(login).set(home).set(anonymous).set(login).update();
    if (closed == 0) {
      throw MergedIdentity.failure();
    }
    tx.sql(ADD).set(home).set(anonymous).set(login).set(now).update();
  }

  Optional<MergeProgress> find(Tx tx, String anonymous) throws SQLException {
    return tx.sql(FIND).set(Home.of(anonymous)).set(anonymous).first(LoginMergeStore::merge);
  }

  void advance(Tx tx, MergeProgress merge) throws SQLException {
    tx.sql(ADVANCE)
        .set(Home.of(merge.anonymous()))
        .set(merge.anonymous())
        .set(merge.step())
        .update();
  }

  void finish(Tx tx, MergeProgress merge, Instant now) throws SQLException {
    tx.sql(FINISH).set(now).set(Home.of(merge.anonymous())).set(merge.anonymous()).update();
  }

  List<DueMerge> due(Tx tx, Home home, Instant startedBefore, Instant now, int limit)
      throws SQLException {
    return tx.sql(DUE)
        .set(home)
        .set(startedBefore)
        .set(now)
        .set(limit)
        .list(row -> new DueMerge(row.textAt(1), row.intAt(2)));
  }

  List<Home> homesDue(Tx tx, List<Home> homes, Instant startedBefore, Instant now)
      throws SQLException {
    return tx.sql(HOMES_DUE)
        .ints(homes, Home::number)
        .set(startedBefore)
        .set(now)
        .list(row -> row.homeAt(1));
  }

  /// Counts an attempt before it is made, so that an attempt that ends the process counts too. False if
  /// another process was faster.
  boolean defer(Tx tx, DueMerge merge, Instant nextTry) throws SQLException {
    int deferred =
        tx.sql(DEFER)
            .set(merge.attempts() + 1)
            .set(nextTry)
            .set(Home.of(merge.anonymous()))
            .set(merge.anonymous())
            .set(merge.attempts())
            .update();
    return deferred == 1;
  }

  private static MergeProgress merge(Row row) throws SQLException {
    Map<FavoriteKind, Integer> moved = new EnumMap<>(FavoriteKind.class);
    moved.put(FavoriteKind.OFFER, row.intAt(5));
    moved.put(FavoriteKind.SEARCH, row.intAt(6));
    moved.put(FavoriteKind.SELLER, row.intAt(7));
    moved.put(FavoriteKind.NOTE, row.intAt(8));
    moved.put(FavoriteKind.COLLECTION, row.intAt(9));
    return new MergeProgress(row.textAt(1), row.textAt(2), row.intAt(3), row.booleanAt(4), moved);
  }
}
