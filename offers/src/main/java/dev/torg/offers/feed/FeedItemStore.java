package dev.torg.offers.feed;

import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Stores the items of sellers' feeds. Lock order: docs/data-model.md#lock-order.
final class FeedItemStore {
  /// Repeats the seller in every row. With a condition on a constant and a table that has grown since the
  /// last ANALYZE, the planner expects a single matching item and scans all of them.
  private static final BatchColumns<ItemKey> KEYS =
      BatchColumns.of(ItemKey::home)
          .texts("seller", ItemKey::seller)
          .texts("external_id", ItemKey::externalId);

  private static final BatchColumns<MarkedItem> MARKS =
      BatchColumns.<MarkedItem>of(item -> item.key().home())
          .texts("seller", item -> item.key().seller())
          .texts("external_id", item -> item.key().externalId())
          .longs("offer_id", item -> item.mark().offer().number())
          .longs("hash", item -> item.mark().hash());

  private static final BatchSql<ItemKey> LOCK =
      KEYS.sql(
          """
          SELECT f.external_id, f.offer_id, f.task_id, f.upload, f.hash, f.removed_at
            FROM :batch(k)
            JOIN feed_item f ON f.home = k.home AND f.seller = k.seller
                            AND f.external_id = k.external_id
           WHERE :shard(f)
           ORDER BY f.external_id FOR NO KEY UPDATE OF f
          """);

  /// A separate statement after the items are locked: joined with the locking statement, a transaction that
  /// waited for a lock would see the joined rows as they were before the wait. The two rows of an offer are
  /// adjacent.
  private static final BatchSql<OfferId> STATES =
      BatchColumns.of(OfferId::home)
          .longs("id", OfferId::number)
          .sql(
              """
              SELECT o.id, o.kind, o.status, o.due_at, o.retry_at FROM :batch(k)
                JOIN offer o ON o.home = k.home AND o.id = k.id AND o.kind IN ('offer', 'photos')
               WHERE :shard(o)
              """);

  /// The seller's offers that belong to no feed item. Of several with one external id, the newest.
  private static final BatchSql<ItemKey> UNCLAIMED =
      KEYS.sql(
          """
          SELECT o.external_id, o.id FROM :batch(k)
            JOIN offer o ON o.home = k.home AND o.seller = k.seller
                        AND o.external_id = k.external_id
           WHERE o.kind = 'offer' AND o.status <> %d AND :shard(o)
             AND NOT EXISTS (
               SELECT FROM feed_item f
                WHERE f.home = o.home AND f.offer_id = o.id AND :shard(f))
           ORDER BY o.external_id, o.created_at, o.id
          """
              .formatted(Status.REMOVED_VALUE));

  private static final BatchSql<MarkedItem> INSERT =
      MARKS.sql(
          """
          INSERT INTO feed_item (home, seller, task_id, upload, external_id, offer_id, hash)
          SELECT k.home, k.seller, ?, ?, k.external_id, k.offer_id, k.hash FROM :rows(k)
           ORDER BY k.external_id
          ON CONFLICT DO NOTHING
          RETURNING external_id
          """);

  private static final BatchSql<MarkedItem> MARK =
      MARKS.sql(
          """
          UPDATE feed_item f
             SET task_id = ?, upload = ?, offer_id = k.offer_id, hash = k.hash, removed_at = NULL
            FROM :batch(k)
           WHERE f.home = k.home AND f.seller = k.seller AND f.external_id = k.external_id
             AND :shard(f)
          """);

  /// Makes the next upload of these items count as a change.
  private static final BatchSql<ItemKey> CLEAR_HASH =
      KEYS.sql(
          """
          UPDATE feed_item f SET hash = 0 FROM :batch(k)
           WHERE f.home = k.home AND f.seller = k.seller AND f.external_id = k.external_id
             AND :shard(f)
          """);

  private static final String COUNT =
      """
      SELECT count(*) FILTER (WHERE task_id < ?), count(*) FILTER (WHERE task_id = ?), count(*)
        FROM feed_item WHERE home = ? AND seller = ? AND removed_at IS NULL
      """;

  private static final String COUNT_SHOWN =
      """
      SELECT count(*) FILTER (WHERE f.task_id < ?), count(*) FILTER (WHERE f.task_id = ?), count(*)
        FROM feed_item f
        JOIN offer o ON o.home = f.home AND o.id = f.offer_id AND o.kind = 'offer' AND o.status <> %d
       WHERE f.home = ? AND f.seller = ? AND f.removed_at IS NULL
      """
          .formatted(Status.REMOVED_VALUE);

  private static final String LOCK_OLDER =
      """
      SELECT external_id, offer_id FROM feed_item
       WHERE home = ? AND seller = ? AND external_id > ? AND task_id < ? AND removed_at IS NULL
       ORDER BY external_id LIMIT ? FOR NO KEY UPDATE
      """;

  private static final BatchSql<ItemKey> REMOVE =
      KEYS.sql(
          """
          UPDATE feed_item f SET removed_at = ?, task_id = ? FROM :batch(k)
           WHERE f.home = k.home AND f.seller = k.seller AND f.external_id = k.external_id
             AND :shard(f)
          """);

  private static final String DELETE_OLD =
      """
      DELETE FROM feed_item f USING (
        SELECT home, seller, external_id FROM feed_item
         WHERE home = ? AND removed_at < ? ORDER BY removed_at LIMIT ?) AS old
       WHERE f.home = ? AND f.home = old.home AND f.seller = old.seller
         AND f.external_id = old.external_id AND f.removed_at < ?
      """;

  /// An item and the state of its offer.
  ///
  /// @param removedAt when a complete feed removed the offer, unless it was restored
  /// @param status as Offer.Status; 0 if there is no such offer
  /// @param dueAt when the offer expires or is archived
  /// @param photosDueAt when its unreachable photos may be requested again
  record StoredItem(
      String externalId,
      OfferId offer,
      long task,
      int upload,
      long hash,
      @Nullable Instant removedAt,
      int status,
      @Nullable Instant dueAt,
      @Nullable Instant photosDueAt) {
    private StoredItem with(State state) {
      return new StoredItem(
          externalId,
          offer,
          task,
          upload,
          hash,
          removedAt,
          state.status(),
          state.dueAt(),
          state.photosDueAt());
    }
  }

  /// The state of an offer.
  private record State(int status, @Nullable Instant dueAt, @Nullable Instant photosDueAt) {
    private static final State NONE = new State(0, null, null);

    /// Merges the states from the two rows of one offer.
    State and(State other) {
      return new State(
          Math.max(status, other.status),
          dueAt == null ? other.dueAt : dueAt,
          photosDueAt == null ? other.photosDueAt : photosDueAt);
    }
  }

  private record ItemKey(Home home, String seller, String externalId) {}

  /// The new values of an item's row.
  record ItemMark(String externalId, OfferId offer, long hash) {}

  private record MarkedItem(ItemKey key, ItemMark mark) {}

  /// An item whose offer is removed.
  record RemovedItem(String externalId, OfferId offer) {}

  /// @param older items that the task did not name
  /// @param named items that the task named
  record RemovalStats(long older, long named, long all) {}

  Map<String, StoredItem> lock(Tx tx, String seller, List<String> externalIds) throws SQLException {
    List<StoredItem> locked = tx.sql(LOCK, keys(seller, externalIds)).list(FeedItemStore::locked);
    Map<OfferId, State> states = states(tx, locked.stream().map(StoredItem::offer).toList());
    Map<String, StoredItem> items = HashMap.newHashMap(locked.size());
    locked.forEach(
        item ->
            items.put(item.externalId(), item.with(states.getOrDefault(item.offer(), State.NONE))));
    return items;
  }

  private static Map<OfferId, State> states(Tx tx, List<OfferId> offers) throws SQLException {
    Map<OfferId, State> states = HashMap.newHashMap(offers.size());
    tx.sql(STATES, offers)
        .each(row -> states.merge(new OfferId(row.longAt(1)), state(row), State::and));
    return states;
  }

  Map<String, OfferId> unclaimed(Tx tx, String seller, List<String> externalIds)
      throws SQLException {
    Map<String, OfferId> offers = new HashMap<>();
    tx.sql(UNCLAIMED, keys(seller, externalIds))
        .each(row -> offers.put(row.textAt(1), new OfferId(row.longAt(2))));
    return offers;
  }

  /// Returns how many were inserted; a concurrent feed of the seller may have inserted the others.
  int insert(Tx tx, UploadId upload, List<ItemMark> marks) throws SQLException {
    return write(tx, INSERT, upload, marks).list(row -> row.textAt(1)).size();
  }

  void mark(Tx tx, UploadId upload, List<ItemMark> marks) throws SQLException {
    write(tx, MARK, upload, marks).update();
  }

  private static Sql write(Tx tx, BatchSql<MarkedItem> sql, UploadId upload, List<ItemMark> marks)
      throws SQLException {
    String seller = upload.task().seller();
    Home home = upload.task().home();
    List<MarkedItem> items =
        marks.stream()
            .map(mark -> new MarkedItem(new ItemKey(home, seller, mark.externalId()), mark))
            .toList();
    return tx.sql(sql, items).set(upload.task().taskId()).set(upload.number());
  }

  void clearHash(Tx tx, String seller, List<String> externalIds) throws SQLException {
    tx.sql(CLEAR_HASH, keys(seller, externalIds)).update();
  }

  RemovalStats count(Tx tx, StoredFeedTask.Key task) throws SQLException {
    return removalStats(tx.sql(COUNT), task);
  }

  /// Counts only items whose offer is not removed.
  RemovalStats countShown(Tx tx, StoredFeedTask.Key task) throws SQLException {
    return removalStats(tx.sql(COUNT_SHOWN), task);
  }

  private static RemovalStats removalStats(Sql sql, StoredFeedTask.Key task) throws SQLException {
    return sql.set(task.taskId())
        .set(task.taskId())
        .set(task.home())
        .set(task.seller())
        .first(row -> new RemovalStats(row.longAt(1), row.longAt(2), row.longAt(3)))
        .orElseThrow();
  }

  /// Items that the task did not name, after the given external id.
  List<RemovedItem> lockOlder(Tx tx, StoredFeedTask.Key task, String after, int limit)
      throws SQLException {
    return tx.sql(LOCK_OLDER)
        .set(task.home())
        .set(task.seller())
        .set(after)
        .set(task.taskId())
        .set(limit)
        .list(row -> new RemovedItem(row.textAt(1), new OfferId(row.longAt(2))));
  }

  void remove(Tx tx, StoredFeedTask.Key task, List<RemovedItem> removed, Instant now)
      throws SQLException {
    List<String> externalIds = removed.stream().map(RemovedItem::externalId).toList();
    tx.sql(REMOVE, keys(task.seller(), externalIds)).set(now).set(task.taskId()).update();
  }

  /// Deletes items removed before the given time. Returns how many.
  int deleteOld(Tx tx, Home home, Instant before, int limit) throws SQLException {
    return tx.sql(DELETE_OLD).set(home).set(before).set(limit).set(home).set(before).update();
  }

  private static List<ItemKey> keys(String seller, List<String> externalIds) {
    Home home = Home.of(seller);
    return externalIds.stream().map(id -> new ItemKey(home, seller, id)).toList();
  }

  private static StoredItem locked(Row row) throws SQLException {
    return new StoredItem(
        row.textAt(1),
        new OfferId(row.longAt(2)),
        row.longAt(3),
        row.intAt(4),
        row.longAt(5),
        row.optionalInstantAt(6).orElse(null),
        State.NONE.status(),
        State.NONE.dueAt(),
        State.NONE.photosDueAt());
  }

  private static State state(Row row) throws SQLException {
    return row.textAt(2).equals("offer")
        ? new State(row.intAt(3), row.optionalInstantAt(4).orElse(null), null)
        : new State(State.NONE.status(), null, row.optionalInstantAt(5).orElse(null));
  }
}
