package dev.torg.offers.draft;

import dev.torg.platform.Home;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Keeps the takeovers in progress, in the login's home.
final class TakeoverStore {
  private static final String BEGIN =
      """
      INSERT INTO draft_takeover (home, owner, anonymous, category, started_at)
      VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
      """;

  private static final String LOCK =
      """
      SELECT owner, anonymous, category, applied FROM draft_takeover
       WHERE home = ? AND owner = ? AND anonymous = ? FOR UPDATE
      """;

  private static final String OF_OWNER =
      "SELECT owner, anonymous, category, applied FROM draft_takeover WHERE home = ? AND owner = ?";

  private static final String STALLED =
      """
      SELECT owner, anonymous, category, applied FROM draft_takeover
       WHERE home = ? AND started_at < ? LIMIT ?
      """;

  private static final String APPLIED =
      """
      UPDATE draft_takeover SET applied = true WHERE home = ? AND owner = ? AND anonymous = ?
      """;

  private static final String END =
      "DELETE FROM draft_takeover WHERE home = ? AND owner = ? AND anonymous = ?";

  /// A login takes over an anonymous draft, wanting a category (or none: empty).
  record TakeoverRow(String owner, String anonymous, String category, boolean applied) {
    Home home() {
      return Home.of(owner);
    }
  }

  void begin(Tx tx, TakeoverRow takeover, Instant now) throws SQLException {
    tx.sql(BEGIN)
        .set(takeover.home())
        .set(takeover.owner())
        .set(takeover.anonymous())
        .set(takeover.category())
        .set(now)
        .update();
  }

  Optional<TakeoverRow> lock(Tx tx, TakeoverRow takeover) throws SQLException {
    return tx.sql(LOCK)
        .set(takeover.home())
        .set(takeover.owner())
        .set(takeover.anonymous())
        .first(TakeoverStore::takeover);
  }

  List<TakeoverRow> of(Tx tx, String owner) throws SQLException {
    return tx.sql(OF_OWNER).set(Home.of(owner)).set(owner).list(TakeoverStore::takeover);
  }

  List<TakeoverRow> stalled(Tx tx, Home home, Instant before, int limit) throws SQLException {
    return tx.sql(STALLED).set(home).set(before).set(limit).list(TakeoverStore::takeover);
  }

  void applied(Tx tx, TakeoverRow takeover) throws SQLException {
    change(tx, APPLIED, takeover);
  }

  void end(Tx tx, TakeoverRow takeover) throws SQLException {
    change(tx, END, takeover);
  }

  private static void change(Tx tx, String sql, TakeoverRow takeover) throws SQLException {
    tx.sql(sql).set(takeover.home()).set(takeover.owner()).set(takeover.anonymous()).update();
  }

  private static TakeoverRow takeover(Row row) throws SQLException {
    return new TakeoverRow(row.textAt(1), row.textAt(2), row.textAt(3), row.booleanAt(4));
  }
}
