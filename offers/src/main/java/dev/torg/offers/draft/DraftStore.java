package dev.torg.offers.draft;

import dev.torg.offers.life.DraftKey;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Keeps drafts and which of them is current. An owner's drafts change under the lock of the owner's
/// row in `current_draft` or, once the draft is known, under the lock of its own row.
final class DraftStore {
  private static final String COLUMNS =
      "d.id::text, d.owner, d.updated_at, d.body, d.offer_id, d.taken_by";

  private static final String FIND =
      "SELECT " + COLUMNS + " FROM draft d WHERE d.home = ? AND d.owner = ? AND d.id = ?::uuid";

  private static final String LOCK = FIND + " FOR UPDATE";

  private static final String CURRENT =
      "SELECT "
          + COLUMNS
          + " FROM current_draft c JOIN draft d ON d.home = c.home AND d.owner = c.owner"
          + " AND d.id = c.draft_id WHERE c.home = ? AND c.owner = ?";

  private static final String LOCK_CURRENT = CURRENT + " FOR UPDATE";

  private static final String CLAIM_CURRENT =
      """
      INSERT INTO current_draft (home, owner, draft_id) VALUES (?, ?, ?::uuid)
      ON CONFLICT DO NOTHING
      """;

  private static final String MAKE_CURRENT =
      """
      INSERT INTO current_draft (home, owner, draft_id) VALUES (?, ?, ?::uuid)
      ON CONFLICT (home, owner) DO UPDATE SET draft_id = EXCLUDED.draft_id
      """;

  private static final String SAVE =
      """
      INSERT INTO draft (home, owner, id, updated_at, body) VALUES (?, ?, ?::uuid, ?, ?)
      ON CONFLICT (home, owner, id)
      DO UPDATE SET updated_at = EXCLUDED.updated_at, body = EXCLUDED.body
      """;

  private static final String FREEZE =
      "UPDATE draft SET taken_by = ? WHERE home = ? AND owner = ? AND id = ?::uuid";

  private static final String DELETE =
      "DELETE FROM draft WHERE home = ? AND owner = ? AND id = ?::uuid";

  private static final String DELETE_CURRENT =
      "DELETE FROM current_draft WHERE home = ? AND owner = ? AND draft_id = ?::uuid";

  private static final String TAKEN =
      "SELECT id::text FROM draft WHERE home = ? AND owner = ? AND taken_by = ?";

  private static final String IDLE =
      """
      SELECT owner, id::text FROM draft
       WHERE home = ? AND updated_at < ? AND (owner LIKE 'anon:%' OR offer_id IS NOT NULL)
       LIMIT ? FOR UPDATE SKIP LOCKED
      """;

  Optional<DraftRow> find(Tx tx, DraftKey key) throws SQLException {
    return select(tx, FIND, key);
  }

  Optional<DraftRow> lock(Tx tx, DraftKey key) throws SQLException {
    return select(tx, LOCK, key);
  }

  Optional<DraftRow> current(Tx tx, String owner) throws SQLException {
    return tx.sql(CURRENT).set(Home.of(owner)).set(owner).first(DraftStore::draft);
  }

  Optional<DraftRow> lockCurrent(Tx tx, String owner) throws SQLException {
    return tx.sql(LOCK_CURRENT).set(Home.of(owner)).set(owner).first(DraftStore::draft);
  }

  /// False when the owner got another current draft meanwhile.
  boolean claimCurrent(Tx tx, String owner, UUID id) throws SQLException {
    return tx.sql(CLAIM_CURRENT).set(Home.of(owner)).set(owner).set(id.toString()).update() == 1;
  }

  void makeCurrent(Tx tx, String owner, UUID id) throws SQLException {
    tx.sql(MAKE_CURRENT).set(Home.of(owner)).set(owner).set(id.toString()).update();
  }

  void save(Tx tx, DraftRow draft) throws SQLException {
    tx.sql(SAVE)
        .set(Home.of(draft.owner()))
        .set(draft.owner())
        .set(draft.id().toString())
        .set(draft.updatedAt())
        .set(draft.content().toByteArray())
        .update();
  }

  void freeze(Tx tx, DraftRow draft, String takenBy) throws SQLException {
    tx.sql(FREEZE)
        .set(takenBy)
        .set(Home.of(draft.owner()))
        .set(draft.owner())
        .set(draft.id().toString())
        .update();
  }

  void delete(Tx tx, DraftKey key) throws SQLException {
    for (String sql : List.of(DELETE_CURRENT, DELETE)) {
      tx.sql(sql).set(key.home()).set(key.owner()).set(key.id().toString()).update();
    }
  }

  /// What a login has frozen of an anonymous owner's drafts.
  List<DraftKey> taken(Tx tx, String owner, String takenBy) throws SQLException {
    return tx.sql(TAKEN)
        .set(Home.of(owner))
        .set(owner)
        .set(takenBy)
        .list(row -> new DraftKey(owner, UUID.fromString(row.textAt(1))));
  }

  /// Anonymous and published drafts that nobody touched since.
  List<DraftKey> idle(Tx tx, Home home, Instant before, int limit) throws SQLException {
    return tx.sql(IDLE)
        .set(home)
        .set(before)
        .set(limit)
        .list(row -> new DraftKey(row.textAt(1), UUID.fromString(row.textAt(2))));
  }

  private static Optional<DraftRow> select(Tx tx, String sql, DraftKey key) throws SQLException {
    return tx.sql(sql)
        .set(key.home())
        .set(key.owner())
        .set(key.id().toString())
        .first(DraftStore::draft);
  }

  private static DraftRow draft(Row row) throws SQLException {
    return new DraftRow(
        UUID.fromString(row.textAt(1)),
        row.textAt(2),
        row.instantAt(3),
        PublishedDrafts.content(row.bytesAt(4)),
        row.optionalLongAt(5).map(OfferId::new),
        row.optionalTextAt(6));
  }
}
