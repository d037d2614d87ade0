package dev.torg.offers.draft;

import dev.torg.api.v1.Photo;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.part.PhotosPart;
import dev.torg.offers.store.DraftPublicationStore;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Stores drafts and which of them is current.
///
/// Lock order: docs/data-model.md#lock-order. A transaction that may delete rows of `current_draft` locks
/// them before it locks any draft; one that only changes a draft's content locks the draft alone.
final class DraftStore {
  private static final String COLUMNS =
      "d.id::text, d.owner, d.updated_at, d.body, d.offer_id, d.taken_by, d.photos";

  private static final String FIND =
      "SELECT " + COLUMNS + " FROM draft d WHERE d.home = ? AND d.owner = ? AND d.id = ?::uuid";

  private static final String LOCK = FIND + " FOR UPDATE";

  private static final String CURRENT =
      "SELECT "
          + COLUMNS
          + " FROM current_draft c JOIN draft d ON d.home = c.home AND d.owner = c.owner"
          + " AND d.id = c.draft_id WHERE c.home = ? AND c.owner = ?";

  private static final String LOCK_CURRENT =
      "SELECT draft_id::text FROM current_draft WHERE home = ? AND owner = ? FOR UPDATE";

  private static final String LOCK_IF_CURRENT =
      """
      SELECT 1 FROM current_draft WHERE home = ? AND owner = ? AND draft_id = ?::uuid FOR UPDATE
      """;

  private static final String CLAIM_CURRENT =
      """
      INSERT INTO current_draft (home, owner, draft_id) VALUES (?, ?, ?::uuid)
      ON CONFLICT DO NOTHING
      """;

  private static final String SAVE =
      """
      INSERT INTO draft (home, owner, id, updated_at, body, photos)
      VALUES (?, ?, ?::uuid, ?, ?, ?)
      ON CONFLICT (home, owner, id) DO UPDATE
      SET updated_at = EXCLUDED.updated_at, body = EXCLUDED.body, photos = EXCLUDED.photos
      """;

  private static final String FREEZE =
      "UPDATE draft SET taken_by = ? WHERE home = ? AND owner = ? AND id = ?::uuid";

  private static final String DELETE =
      "DELETE FROM draft WHERE home = ? AND owner = ? AND id = ?::uuid";

  private static final String DELETE_CURRENT =
      "DELETE FROM current_draft WHERE home = ? AND owner = ? AND draft_id = ?::uuid";

  private static final String IDLE =
      """
      SELECT owner, id::text FROM draft
       WHERE home = ? AND updated_at < ? AND (owner LIKE 'anon:%' OR offer_id IS NOT NULL)
       ORDER BY updated_at LIMIT ?
      """;

  private static final String LOCK_CURRENT_OF_IDLE =
      """
      SELECT 1 FROM current_draft WHERE home = ? AND owner = ANY (?) ORDER BY owner FOR UPDATE
      """;

  private static final String LOCK_IDLE =
      """
      SELECT owner, id::text, CASE WHEN offer_id IS NULL AND taken_by IS NULL AND photos IS NOT NULL THEN body END
        FROM draft
       WHERE home = ? AND owner = ANY (?) AND id = ANY (?::uuid[]) AND updated_at < ?
         AND (owner LIKE 'anon:%' OR offer_id IS NOT NULL)
       ORDER BY owner, id FOR UPDATE
      """;

  Optional<DraftRow> find(Tx tx, DraftKey key) throws SQLException {
    return select(tx, FIND, key);
  }

  /// Locks the draft for a change of its content.
  Optional<DraftRow> lock(Tx tx, DraftKey key) throws SQLException {
    return select(tx, LOCK, key);
  }

  /// Locks the draft for a change after which it may no longer be current.
  Optional<DraftRow> lockWithCurrent(Tx tx, DraftKey key) throws SQLException {
    tx.sql(LOCK_IF_CURRENT)
        .set(key.home())
        .set(key.owner())
        .set(key.id().toString())
        .first(row -> true);
    return lock(tx, key);
  }

  Optional<DraftRow> current(Tx tx, String owner) throws SQLException {
    return tx.sql(CURRENT).set(Home.of(owner)).set(owner).first(DraftStore::draft);
  }

  Optional<DraftRow> lockCurrent(Tx tx, String owner) throws SQLException {
    Optional<UUID> current =
        tx.sql(LOCK_CURRENT)
            .set(Home.of(owner))
            .set(owner)
            .first(row -> UUID.fromString(row.textAt(1)));
    return current.isEmpty() ? Optional.empty() : lock(tx, new DraftKey(owner, current.get()));
  }

  /// Returns false if the owner has another current draft meanwhile.
  boolean claimCurrent(Tx tx, String owner, UUID id) throws SQLException {
    return tx.sql(CLAIM_CURRENT).set(Home.of(owner)).set(owner).set(id.toString()).update() == 1;
  }

  void save(Tx tx, DraftRow draft) throws SQLException {
    tx.sql(SAVE)
        .set(Home.of(draft.owner()))
        .set(draft.owner())
        .set(draft.id().toString())
        .set(draft.updatedAt())
        .set(draft.content().toByteArray())
        .set(draft.photos().getPhotosCount() == 0 ? null : draft.photos().toByteArray())
        .update();
  }

  void freeze(Tx tx, DraftRow draft, String usedBy) throws SQLException {
    tx.sql(FREEZE)
        .set(usedBy)
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

  /// Anonymous and published drafts without a change since the given time, read without locks.
  List<DraftKey> idle(Tx tx, Home home, Instant before, int limit) throws SQLException {
    return tx.sql(IDLE).set(home).set(before).set(limit).list(DraftStore::key);
  }

  /// An idle draft and the photos that only it shows.
  record Idle(DraftKey key, List<String> photos) {}

  /// Locks the drafts that are still idle.
  List<Idle> lockIdle(Tx tx, Home home, List<DraftKey> idle, Instant before) throws SQLException {
    tx.sql(LOCK_CURRENT_OF_IDLE).set(home).texts(idle, DraftKey::owner).each(row -> {});
    return tx.sql(LOCK_IDLE)
        .set(home)
        .texts(idle, DraftKey::owner)
        .texts(idle, key -> key.id().toString())
        .set(before)
        .list(
            row ->
                new Idle(
                    key(row), row.optionalBytesAt(3).map(DraftStore::photos).orElse(List.of())));
  }

  private static List<String> photos(byte[] body) {
    return DraftPublicationStore.content(body).getPhotosList().stream().map(Photo::getId).toList();
  }

  private static DraftKey key(Row row) throws SQLException {
    return new DraftKey(row.textAt(1), UUID.fromString(row.textAt(2)));
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
        DraftPublicationStore.content(row.bytesAt(4)),
        row.optionalBytesAt(7).map(PhotoPartStore::part).orElse(PhotosPart.getDefaultInstance()),
        row.optionalLongAt(5).map(OfferId::new),
        row.optionalTextAt(6));
  }
}
