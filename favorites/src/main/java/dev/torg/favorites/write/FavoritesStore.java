package dev.torg.favorites.write;

import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.FavoriteLimits;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.Outbox;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/// Loads and writes units of work. The owners' rows are locked first, and all other rows of an owner change
/// only under that lock (docs/data-model.md#lock-order).
public final class FavoritesStore {
  private static final BatchColumns<String> OWNERS =
      BatchColumns.<String>of(Home::of).texts("owner", owner -> owner);

  private static final BatchColumns<FavoriteKey> KEYS =
      BatchColumns.of(FavoriteKey::home)
          .texts("owner", FavoriteKey::owner)
          .ints("kind", key -> key.kind().number())
          .texts("id", FavoriteKey::id);

  private static final BatchColumns<CollectionEntry> ENTRIES =
      BatchColumns.of(CollectionEntry::home)
          .texts("owner", CollectionEntry::owner)
          .texts("collection", CollectionEntry::collection)
          .texts("offer_id", CollectionEntry::offerId);

  private static final BatchSql<String> LOCK =
      OWNERS.sql(
          """
          SELECT o.owner, o.seq, o.token, o.moved_to, o.offers, o.searches, o.sellers, o.notes,
                 o.collections
            FROM :batch(k)
            JOIN favorite_owner o ON o.home = k.home AND o.owner = k.owner
           WHERE :shard(o)
           ORDER BY o.home, o.owner FOR UPDATE OF o
          """);

  private static final BatchSql<String> ADD_OWNERS =
      OWNERS.sql(
          """
          INSERT INTO favorite_owner
            (home, owner, offers, searches, sellers, notes, collections, seq, token)
          SELECT k.home, k.owner, 0, 0, 0, 0, 0, 0, 0 FROM :rows(k) ORDER BY k.home, k.owner
          ON CONFLICT (home, owner) DO NOTHING
          """);

  private static final BatchSql<OwnerRow> UPDATE_OWNERS =
      BatchColumns.of(OwnerRow::home)
          .texts("owner", owner -> owner.owner)
          .longs("seq", owner -> owner.seq)
          .longs("token", owner -> owner.token)
          .ints("offers", owner -> owner.count(FavoriteKind.OFFER))
          .ints("searches", owner -> owner.count(FavoriteKind.SEARCH))
          .ints("sellers", owner -> owner.count(FavoriteKind.SELLER))
          .ints("notes", owner -> owner.count(FavoriteKind.NOTE))
          .ints("collections", owner -> owner.count(FavoriteKind.COLLECTION))
          .sql(
              """
              UPDATE favorite_owner o
                 SET seq = k.seq, token = k.token, offers = k.offers, searches = k.searches,
                     sellers = k.sellers, notes = k.notes, collections = k.collections
                FROM :batch(k)
               WHERE o.home = k.home AND o.owner = k.owner AND :shard(o)
              """);

  /// What [#row] reads, of a table with the alias `f`.
  public static final String COLUMNS =
      """
      f.owner, f.kind, f.favorite_id, f.created_at, f.delivery, f.size, f.price_hash,
      f.price_version, f.new_matches, f.last_notified_at, f.name, f.body
      """;

  private static final BatchSql<FavoriteKey> ROWS = rowsWith(COLUMNS);

  /// A search has at most 20 kB; longer bodies were written by a version that did not limit channel names.
  private static final BatchSql<FavoriteKey> BOUNDED_ROWS =
      rowsWith(
          COLUMNS.replace(
              "f.body", "CASE WHEN octet_length(f.body) <= 65536 THEN f.body ELSE ''::bytea END"));

  private static final BatchSql<String> BLOCKS =
      OWNERS.sql(
          """
          SELECT f.owner, count(*)::int FROM :batch(k)
            JOIN favorite f ON f.home = k.home AND f.owner = k.owner AND f.kind = %d
           WHERE :shard(f)
           GROUP BY f.owner
          """
              .formatted(FavoriteKind.BLOCK.number()));

  private static final BatchSql<FavoritesReadSet.Named> NAMED =
      BatchColumns.<FavoritesReadSet.Named>of(named -> Home.of(named.owner()))
          .texts("owner", FavoritesReadSet.Named::owner)
          .texts("name", FavoritesReadSet.Named::name)
          .sql(
              """
              SELECT %s
                FROM :batch(k)
                JOIN favorite f ON f.home = k.home AND f.owner = k.owner AND f.kind = %d
                               AND f.name = k.name
               WHERE :shard(f)
              """
                  .formatted(COLUMNS, FavoriteKind.COLLECTION.number()));

  private static final BatchSql<FavoritesReadSet.EntriesOfOffer> SELECT_ENTRIES_OF_OFFER =
      BatchColumns.<FavoritesReadSet.EntriesOfOffer>of(offer -> Home.of(offer.owner()))
          .texts("owner", FavoritesReadSet.EntriesOfOffer::owner)
          .texts("offer_id", FavoritesReadSet.EntriesOfOffer::offerId)
          .sql(
              """
              SELECT c.owner, c.collection, c.offer_id, c.added_at
                FROM :batch(k)
                JOIN collection_offer c ON c.home = k.home AND c.owner = k.owner
                                       AND c.offer_id = k.offer_id
               WHERE :shard(c)
              """);

  private static final BatchSql<CollectionEntry> SELECT_ENTRIES =
      ENTRIES.sql(
          """
          SELECT c.owner, c.collection, c.offer_id, c.added_at
            FROM :batch(k)
            JOIN collection_offer c ON c.home = k.home AND c.owner = k.owner
                                   AND c.collection = k.collection AND c.offer_id = k.offer_id
           WHERE :shard(c)
          """);

  private static final BatchSql<FavoriteRow> PUT =
      BatchColumns.of(FavoriteRow::home)
          .texts("owner", FavoriteRow::owner)
          .ints("kind", row -> row.kind().number())
          .texts("id", FavoriteRow::id)
          .instants("created_at", FavoriteRow::createdAt)
          .ints("delivery", FavoriteRow::delivery)
          .ints("size", FavoriteRow::size)
          .longs("price_hash", FavoriteRow::priceHash)
          .longs("price_version", FavoriteRow::priceVersion)
          .ints("new_matches", FavoriteRow::newMatches)
          .instants("last_notified_at", FavoriteRow::lastNotifiedAt)
          .texts("name", FavoriteRow::name)
          .bytes("body", FavoriteRow::body)
          .sql(
              """
              INSERT INTO favorite (home, owner, kind, favorite_id, created_at, delivery, size,
                                    price_hash, price_version, new_matches, last_notified_at, name,
                                    body)
              SELECT k.home, k.owner, k.kind, k.id, k.created_at, k.delivery, k.size, k.price_hash,
                     k.price_version, k.new_matches, k.last_notified_at, k.name, k.body
                FROM :rows(k)
              ON CONFLICT (home, owner, kind, favorite_id) DO UPDATE
                SET created_at = excluded.created_at, delivery = excluded.delivery,
                    size = excluded.size, price_hash = excluded.price_hash,
                    price_version = excluded.price_version, new_matches = excluded.new_matches,
                    name = excluded.name, body = excluded.body
              """);

  private static final BatchSql<FavoriteKey> DELETE =
      KEYS.sql(
          """
          DELETE FROM favorite f
           USING :batch(k)
           WHERE f.home = k.home AND f.owner = k.owner AND f.kind = k.kind
             AND f.favorite_id = k.id AND :shard(f)
          """);

  private static final BatchSql<EntryRow> INSERT_ENTRIES =
      BatchColumns.<EntryRow>of(row -> row.entry().home())
          .texts("owner", row -> row.entry().owner())
          .texts("collection", row -> row.entry().collection())
          .texts("offer_id", row -> row.entry().offerId())
          .instants("added_at", EntryRow::at)
          .sql(
              """
              INSERT INTO collection_offer (home, owner, collection, offer_id, added_at)
              SELECT k.home, k.owner, k.collection, k.offer_id, k.added_at FROM :rows(k)
              """);

  private static final BatchSql<CollectionEntry> DELETE_SELECT_ENTRIES =
      ENTRIES.sql(
          """
          DELETE FROM collection_offer c
           USING :batch(k)
           WHERE c.home = k.home AND c.owner = k.owner AND c.collection = k.collection
             AND c.offer_id = k.offer_id AND :shard(c)
          """);

  private static final BatchSql<FavoriteKey> CLEAR =
      BatchColumns.of(FavoriteKey::home)
          .texts("owner", FavoriteKey::owner)
          .texts("collection", FavoriteKey::id)
          .sql(
              """
              DELETE FROM collection_offer c
               USING :batch(k)
               WHERE c.home = k.home AND c.owner = k.owner AND c.collection = k.collection
                 AND :shard(c)
              """);

  private final Outbox outbox;
  private final EventSequence seq;

  public FavoritesStore(Outbox outbox, EventSequence seq) {
    this.outbox = outbox;
    this.seq = seq;
  }

  /// Without limits.
  FavoritesUnitOfWork load(Tx tx, FavoritesReadSet reads) throws SQLException {
    return load(tx, reads, _ -> FavoriteLimits.NONE);
  }

  FavoritesUnitOfWork load(Tx tx, FavoritesReadSet reads, Function<String, FavoriteLimits> limits)
      throws SQLException {
    FavoritesUnitOfWork work = new FavoritesUnitOfWork(limits);
    lock(tx, work, List.copyOf(reads.owners));
    countBlocks(tx, work, List.copyOf(reads.blocks));
    Set<FavoriteKey> read = new HashSet<>(reads.rows);
    rows(tx, reads.rowList()).forEach(work::loaded);
    tx.sql(NAMED, List.copyOf(reads.names)).list(FavoritesStore::row).stream()
        .filter(r -> read.add(r.key()))
        .forEach(work::loaded);
    Set<FavoriteKey> collections = new LinkedHashSet<>();
    for (EntryRow row : entries(tx, work, reads)) {
      work.loaded(row.entry, row.at);
      collections.add(
          new FavoriteKey(row.entry.owner(), FavoriteKind.COLLECTION, row.entry.collection()));
    }
    collections.removeIf(key -> !read.add(key));
    rows(tx, List.copyOf(collections)).forEach(work::loaded);
    return work;
  }

  /// Writes the changes, with their events.
  void flush(Tx tx, FavoritesUnitOfWork work, Instant at) throws SQLException {
    List<FavoritesUnitOfWork.RowChange> changed = work.changedRows();
    outbox.append(tx, FavoriteEvents.of(work, changed, seq, at));
    delete(tx, changed);
    tx.sql(PUT, after(changed)).update();
    writeEntries(tx, work);
    tx.sql(UPDATE_OWNERS, work.changedOwners()).update();
  }

  private void lock(Tx tx, FavoritesUnitOfWork work, List<String> owners) throws SQLException {
    List<OwnerRow> locked = lock(tx, owners);
    if (locked.size() < owners.size()) {
      tx.sql(ADD_OWNERS, owners).update();
      locked = lock(tx, owners);
    }
    locked.forEach(work::loaded);
  }

  private static List<OwnerRow> lock(Tx tx, List<String> owners) throws SQLException {
    return tx.sql(LOCK, owners).list(FavoritesStore::owner);
  }

  /// Blocks have no count in the owner's row: they are few and rarely added.
  private static void countBlocks(Tx tx, FavoritesUnitOfWork work, List<String> owners)
      throws SQLException {
    tx.sql(BLOCKS, owners)
        .each(row -> work.owner(row.textAt(1)).add(FavoriteKind.BLOCK, row.intAt(2)));
  }

  public static List<FavoriteRow> rows(Tx tx, List<FavoriteKey> keys) throws SQLException {
    return tx.sql(ROWS, keys).list(FavoritesStore::row);
  }

  /// For readers of rows of thousands of owners: a body longer than any that is written now is returned empty.
  public static List<FavoriteRow> boundedRows(Tx tx, List<FavoriteKey> keys) throws SQLException {
    return tx.sql(BOUNDED_ROWS, keys).list(FavoritesStore::row);
  }

  private static BatchSql<FavoriteKey> rowsWith(String columns) {
    return KEYS.sql(
        """
        SELECT %s
          FROM :batch(k)
          JOIN favorite f ON f.home = k.home AND f.owner = k.owner AND f.kind = k.kind
                         AND f.favorite_id = k.id
         WHERE :shard(f)
        """
            .formatted(columns));
  }

  /// Owners without collections have no entries.
  private static List<EntryRow> entries(Tx tx, FavoritesUnitOfWork work, FavoritesReadSet reads)
      throws SQLException {
    List<EntryRow> rows = new ArrayList<>();
    List<FavoritesReadSet.EntriesOfOffer> offers =
        reads.offers.stream()
            .filter(offer -> work.owner(offer.owner()).count(FavoriteKind.COLLECTION) > 0)
            .toList();
    rows.addAll(tx.sql(SELECT_ENTRIES_OF_OFFER, offers).list(FavoritesStore::entry));
    rows.addAll(tx.sql(SELECT_ENTRIES, List.copyOf(reads.entries)).list(FavoritesStore::entry));
    return rows;
  }

  private static List<FavoriteRow> after(List<FavoritesUnitOfWork.RowChange> changed) {
    return changed.stream()
        .map(FavoritesUnitOfWork.RowChange::after)
        .filter(Objects::nonNull)
        .toList();
  }

  private static void delete(Tx tx, List<FavoritesUnitOfWork.RowChange> changed)
      throws SQLException {
    List<FavoriteKey> removed = new ArrayList<>();
    for (FavoritesUnitOfWork.RowChange rowChange : changed) {
      if (rowChange.after() == null && rowChange.before() != null) {
        removed.add(rowChange.before().key());
      }
    }
    tx.sql(DELETE, removed).update();
  }

  private static void writeEntries(Tx tx, FavoritesUnitOfWork work) throws SQLException {
    List<CollectionEntry> removed = new ArrayList<>();
    List<EntryRow> accepted = new ArrayList<>();
    work.entries()
        .forEach(
            (entry, change) -> {
              Instant after = change.after();
              if (change.before() != null && after == null) {
                removed.add(entry);
              } else if (change.before() == null && after != null) {
                accepted.add(new EntryRow(entry, after));
              }
            });
    tx.sql(CLEAR, work.cleared()).update();
    tx.sql(DELETE_SELECT_ENTRIES, removed).update();
    tx.sql(INSERT_ENTRIES, accepted).update();
  }

  private record EntryRow(CollectionEntry entry, Instant at) {}

  private static EntryRow entry(Row row) throws SQLException {
    return new EntryRow(
        new CollectionEntry(row.textAt(1), row.textAt(2), row.textAt(3)), row.instantAt(4));
  }

  private static OwnerRow owner(Row row) throws SQLException {
    OwnerRow owner =
        new OwnerRow(row.textAt(1), row.longAt(2), row.longAt(3), row.optionalTextAt(4).orElse(""));
    owner.add(FavoriteKind.OFFER, row.intAt(5));
    owner.add(FavoriteKind.SEARCH, row.intAt(6));
    owner.add(FavoriteKind.SELLER, row.intAt(7));
    owner.add(FavoriteKind.NOTE, row.intAt(8));
    owner.add(FavoriteKind.COLLECTION, row.intAt(9));
    return owner;
  }

  /// Of a statement that selects [#COLUMNS] first.
  public static FavoriteRow row(Row row) throws SQLException {
    return new FavoriteRow(
        new FavoriteKey(row.textAt(1), FavoriteKind.of(row.intAt(2)), row.textAt(3)),
        row.instantAt(4),
        row.intAt(5),
        row.intAt(6),
        row.longAt(7),
        row.longAt(8),
        row.intAt(9),
        row.optionalInstantAt(10).orElse(null),
        row.textAt(11),
        row.bytesAt(12));
  }
}
