package dev.torg.offers.draft;

import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.platform.Home;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Stores the takeovers in progress, in the login's home. There is at most one between a login and an
/// anonymous user.
final class TakeoverStore {
  private static final String BEGIN =
      """
      INSERT INTO draft_takeover (home, owner, anonymous, draft_id, category, started_at)
      VALUES (?, ?, ?, ?::uuid, ?, ?) ON CONFLICT DO NOTHING
      """;

  private static final String COLUMNS = "owner, anonymous, draft_id::text, category, applied";

  private static final String OF_OWNER =
      "SELECT " + COLUMNS + " FROM draft_takeover WHERE home = ? AND owner = ?";

  private static final String FIND = OF_OWNER + " AND anonymous = ?";

  private static final String LOCK = FIND + " FOR UPDATE";

  private static final String STALLED =
      "SELECT " + COLUMNS + " FROM draft_takeover WHERE home = ? AND started_at < ? LIMIT ?";

  private static final String HOMES_STALLED =
      "SELECT DISTINCT home FROM draft_takeover WHERE home = ANY (?::int[]) AND started_at < ?";

  private static final String APPLIED =
      """
      UPDATE draft_takeover SET applied = true WHERE home = ? AND owner = ? AND anonymous = ?
      """;

  private static final String END =
      """
      DELETE FROM draft_takeover
       WHERE home = ? AND owner = ? AND anonymous = ? AND draft_id IS NOT DISTINCT FROM ?::uuid
      """;

  /// The takeover of an anonymous draft by a login. The category is the requested one, or empty. Without a
  /// draft id it refers to the current draft.
  record TakeoverRow(
      String owner, String anonymous, Optional<UUID> draft, String category, boolean applied) {
    static TakeoverRow of(String owner, DraftKey from, String category) {
      return new TakeoverRow(owner, from.owner(), Optional.of(from.id()), category, false);
    }

    Home home() {
      return Home.of(owner);
    }

    /// Whether both refer to the same draft, whatever its state.
    boolean isOf(TakeoverRow other) {
      return draft.equals(other.draft);
    }

    boolean includes(UUID id) {
      return draft.isEmpty() || draft.get().equals(id);
    }

    private @Nullable String draftText() {
      return draft.map(UUID::toString).orElse(null);
    }
  }

  /// Returns the takeover in progress between the two: this one, or one begun before. Empty if that one has
  /// just ended.
  Optional<TakeoverRow> begin(Tx tx, TakeoverRow takeover, Instant now) throws SQLException {
    tx.sql(BEGIN)
        .set(takeover.home())
        .set(takeover.owner())
        .set(takeover.anonymous())
        .set(takeover.draftText())
        .set(takeover.category())
        .set(now)
        .update();
    return select(tx, FIND, takeover);
  }

  Optional<TakeoverRow> lock(Tx tx, TakeoverRow takeover) throws SQLException {
    return select(tx, LOCK, takeover);
  }

  List<TakeoverRow> of(Tx tx, String owner) throws SQLException {
    return tx.sql(OF_OWNER).set(Home.of(owner)).set(owner).list(TakeoverStore::takeover);
  }

  List<TakeoverRow> stalled(Tx tx, Home home, Instant before, int limit) throws SQLException {
    return tx.sql(STALLED).set(home).set(before).set(limit).list(TakeoverStore::takeover);
  }

  List<Home> homesStalled(Tx tx, List<Home> homes, Instant before) throws SQLException {
    return tx.sql(HOMES_STALLED).ints(homes, Home::number).set(before).list(row -> row.homeAt(1));
  }

  void applied(Tx tx, TakeoverRow takeover) throws SQLException {
    tx.sql(APPLIED).set(takeover.home()).set(takeover.owner()).set(takeover.anonymous()).update();
  }

  void end(Tx tx, TakeoverRow takeover) throws SQLException {
    tx.sql(END)
        .set(takeover.home())
        .set(takeover.owner())
        .set(takeover.anonymous())
        .set(takeover.draftText())
        .update();
  }

  private static Optional<TakeoverRow> select(Tx tx, String sql, TakeoverRow takeover)
      throws SQLException {
    return tx.sql(sql)
        .set(takeover.home())
        .set(takeover.owner())
        .set(takeover.anonymous())
        .first(TakeoverStore::takeover);
  }

  private static TakeoverRow takeover(Row row) throws SQLException {
    return new TakeoverRow(
        row.textAt(1),
        row.textAt(2),
        row.optionalTextAt(3).map(UUID::fromString),
        row.textAt(4),
        row.booleanAt(5));
  }
}
