package dev.torg.favorites.write;

import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.FavoriteLimits;
import dev.torg.platform.Home;
import dev.torg.platform.db.HomedSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.EventSequence;
import dev.torg.platform.outbox.Outbox;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/// Loads and writes units of work. The owners' rows are locked first, and all other rows of an owner change
/// only under that lock (docs/data-model.md#lock-order).
public final class FavoritesStore {
  private static final HomedSql LOCK =
      HomedSql.of(
          """
          SELECT o.owner, o.seq, o.token, o.moved_to, o.offers, o.searches, o.sellers, o.notes,
                 o.collections
            FROM unnest(?::int[], ?::text[]) AS k (home, owner)
            JOIN favorite_owner o ON o.home = k.home AND o.owner = k.owner
           WHERE :home(o)
           ORDER BY o.home, o.owner FOR UPDATE OF o
          """);

  private static final String ADD_OWNERS =
      """
      INSERT INTO favorite_owner
        (home, owner, offers, searches, sellers, notes, collections, seq, token)
      SELECT k.home, k.owner, 0, 0, 0, 0, 0, 0, 0
        FROM unnest(?::int[], ?::text[]) AS k (home, owner) ORDER BY k.home, k.owner
      ON CONFLICT (home, owner) DO NOTHING
      """;

  private static final HomedSql UPDATE_OWNERS =
      HomedSql.of(
          """
          UPDATE favorite_owner o
             SET seq = k.seq, token = k.token, offers = k.offers, searches = k.searches,
                 sellers = k.sellers, notes = k.notes, collections = k.collections
            FROM unnest(?::int[], ?::text[], ?::bigint[], ?::bigint[], ?::int[], ?::int[],
                        ?::int[], ?::int[], ?::int[])
              AS k (home, owner, seq, token, offers, searches, sellers, notes, collections)
           WHERE o.home = k.home AND o.owner = k.owner AND :home(o)
          """);

  /// What [#row] reads, of a table with the alias `f`.
  public static final String COLUMNS =
      """
      f.owner, f.kind, f.favorite_id, f.created_at, f.delivery, f.size, f.price_hash,
      f.price_version, f.new_matches, f.last_notified_at, f.name, f.body
      """;

  private static final HomedSql ROWS = rowsWith(COLUMNS);

  /// A search has at most 20 kB; longer bodies were written by a version that did not limit channel names.
  private static final HomedSql BOUNDED_ROWS =
      rowsWith(
          COLUMNS.replace(
              "f.body", "CASE WHEN octet_length(f.body) <= 65536 THEN f.body ELSE ''::bytea END"));

  private static final HomedSql BLOCKS =
      HomedSql.of(
          """
          SELECT f.owner, count(*)::int FROM unnest(?::int[], ?::text[]) AS k (home, owner)
            JOIN favorite f ON f.home = k.home AND f.owner = k.owner AND f.kind = %d
           WHERE :home(f)
           GROUP BY f.owner
          """
              .formatted(FavoriteKind.BLOCK.number()));

  private static final HomedSql NAMED =
      HomedSql.of(
          """
          SELECT %s
            FROM unnest(?::int[], ?::text[], ?::text[]) AS k (home, owner, name)
            JOIN favorite f ON f.home = k.home AND f.owner = k.owner AND f.kind = %d
                           AND f.name = k.name
           WHERE :home(f)
          """
              .formatted(COLUMNS, FavoriteKind.COLLECTION.number()));

  private static final HomedSql SELECT_ENTRIES_OF_OFFER =
      HomedSql.of(
          """
          SELECT c.owner, c.collection, c.offer_id, c.added_at
            FROM unnest(?::int[], ?::text[], ?::text[]) AS k (home, owner, offer_id)
            JOIN collection_offer c ON c.home = k.home AND c.owner = k.owner
                                   AND c.offer_id = k.offer_id
           WHERE :home(c)
          """);

  private static final HomedSql PLACES =
      HomedSql.of(
          """
          SELECT c.owner, c.collection, c.offer_id, c.added_at
            FROM unnest(?::int[], ?::text[], ?::text[], ?::text[])
              AS k (home, owner, collection, offer_id)
            JOIN collection_offer c ON c.home = k.home AND c.owner = k.owner
                                   AND c.collection = k.collection AND c.offer_id = k.offer_id
           WHERE :home(c)
          """);

  private static final String PUT =
      """
      INSERT INTO favorite (home, owner, kind, favorite_id, created_at, delivery, size, price_hash,
                            price_version, new_matches, last_notified_at, name, body)
      SELECT k.home, k.owner, k.kind, k.id, k.created_at, k.delivery, k.size, k.price_hash,
             k.price_version, k.new_matches, k.last_notified_at, k.name, k.body
        FROM unnest(?::int[], ?::text[], ?::int[], ?::text[], ?::timestamptz[], ?::int[], ?::int[],
                    ?::bigint[], ?::bigint[], ?::int[], ?::timestamptz[], ?::text[], ?::bytea[])
          AS k (home, owner, kind, id, created_at, delivery, size, price_hash, price_version,
                new_matches, last_notified_at, name, body)
      ON CONFLICT (home, owner, kind, favorite_id) DO UPDATE
        SET created_at = excluded.created_at, delivery = excluded.delivery, size = excluded.size,
            price_hash = excluded.price_hash, price_version = excluded.price_version,
            new_matches = excluded.new_matches, name = excluded.name, body = excluded.body
      """;

  private static final HomedSql DELETE =
      HomedSql.of(
          """
          DELETE FROM favorite f
           USING unnest(?::int[], ?::text[], ?::int[], ?::text[]) AS k (home, owner, kind, id)
           WHERE f.home = k.home AND f.owner = k.owner AND f.kind = k.kind
             AND f.favorite_id = k.id AND :home(f)
          """);

  private static final String UPSERT_ENTRIES =
      """
      INSERT INTO collection_offer (home, owner, collection, offer_id, added_at)
      SELECT * FROM unnest(?::int[], ?::text[], ?::text[], ?::text[], ?::timestamptz[])
      """;

  private static final HomedSql DELETE_PLACES =
      HomedSql.of(
          """
          DELETE FROM collection_offer c
           USING unnest(?::int[], ?::text[], ?::text[], ?::text[])
              AS k (home, owner, collection, offer_id)
           WHERE c.home = k.home AND c.owner = k.owner AND c.collection = k.collection
             AND c.offer_id = k.offer_id AND :home(c)
          """);

  private static final HomedSql CLEAR =
      HomedSql.of(
          """
          DELETE FROM collection_offer c
           USING unnest(?::int[], ?::text[], ?::text[]) AS k (home, owner, collection)
           WHERE c.home = k.home AND c.owner = k.owner AND c.collection = k.collection
             AND :home(c)
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
    if (!reads.names.isEmpty()) {
      named(tx, List.copyOf(reads.names)).stream()
          .filter(r -> read.add(r.key()))
          .forEach(work::loaded);
    }
    Set<FavoriteKey> collections = new LinkedHashSet<>();
    for (PlaceRow row : places(tx, work, reads)) {
      work.loaded(row.collectionEntry, row.at);
      collections.add(
          new FavoriteKey(
              row.collectionEntry.owner(),
              FavoriteKind.COLLECTION,
              row.collectionEntry.collection()));
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
    put(
        tx,
        changed.stream()
            .map(FavoritesUnitOfWork.RowChange::after)
            .filter(Objects::nonNull)
            .toList());
    writeEntries(tx, work);
    updateOwners(tx, work.changedOwners());
  }

  private void lock(Tx tx, FavoritesUnitOfWork work, List<String> owners) throws SQLException {
    List<OwnerRow> locked = lock(tx, owners);
    if (locked.size() < owners.size()) {
      tx.sql(ADD_OWNERS).homes(owners, Home::of).texts(owners, owner -> owner).update();
      locked = lock(tx, owners);
    }
    locked.forEach(work::loaded);
  }

  private static List<OwnerRow> lock(Tx tx, List<String> owners) throws SQLException {
    return tx.sql(LOCK, owners, Home::of)
        .homes(owners, Home::of)
        .texts(owners, owner -> owner)
        .list(FavoritesStore::owner);
  }

  /// Blocks have no count in the owner's row: they are few and rarely added.
  private static void countBlocks(Tx tx, FavoritesUnitOfWork work, List<String> owners)
      throws SQLException {
    if (!owners.isEmpty()) {
      tx.sql(BLOCKS, owners, Home::of)
          .homes(owners, Home::of)
          .texts(owners, owner -> owner)
          .each(row -> work.owner(row.textAt(1)).add(FavoriteKind.BLOCK, row.intAt(2)));
    }
  }

  public static List<FavoriteRow> rows(Tx tx, List<FavoriteKey> keys) throws SQLException {
    if (keys.isEmpty()) {
      return List.of();
    }
    return rows(tx, ROWS, keys);
  }

  /// For readers of rows of thousands of owners: a body longer than any that is written now is returned empty.
  public static List<FavoriteRow> boundedRows(Tx tx, List<FavoriteKey> keys) throws SQLException {
    return keys.isEmpty() ? List.of() : rows(tx, BOUNDED_ROWS, keys);
  }

  private static List<FavoriteRow> rows(Tx tx, HomedSql sql, List<FavoriteKey> keys)
      throws SQLException {
    return tx.sql(sql, keys, FavoriteKey::home)
        .homes(keys, FavoriteKey::home)
        .texts(keys, FavoriteKey::owner)
        .ints(keys, key -> key.kind().number())
        .texts(keys, FavoriteKey::id)
        .list(FavoritesStore::row);
  }

  private static HomedSql rowsWith(String columns) {
    return HomedSql.of(
        """
        SELECT %s
          FROM unnest(?::int[], ?::text[], ?::int[], ?::text[]) AS k (home, owner, kind, id)
          JOIN favorite f ON f.home = k.home AND f.owner = k.owner AND f.kind = k.kind
                         AND f.favorite_id = k.id
         WHERE :home(f)
        """
            .formatted(columns));
  }

  private static List<FavoriteRow> named(Tx tx, List<FavoritesReadSet.Named> names)
      throws SQLException {
    return tx.sql(NAMED, names, name -> Home.of(name.owner()))
        .homes(names, name -> Home.of(name.owner()))
        .texts(names, FavoritesReadSet.Named::owner)
        .texts(names, FavoritesReadSet.Named::name)
        .list(FavoritesStore::row);
  }

  /// Owners without collections have no places.
  private static List<PlaceRow> places(Tx tx, FavoritesUnitOfWork work, FavoritesReadSet reads)
      throws SQLException {
    List<PlaceRow> rows = new ArrayList<>();
    List<FavoritesReadSet.EntriesOfOffer> offers =
        reads.offers.stream()
            .filter(offer -> work.owner(offer.owner()).count(FavoriteKind.COLLECTION) > 0)
            .toList();
    if (!offers.isEmpty()) {
      rows.addAll(
          tx.sql(SELECT_ENTRIES_OF_OFFER, offers, offer -> Home.of(offer.owner()))
              .homes(offers, offer -> Home.of(offer.owner()))
              .texts(offers, FavoritesReadSet.EntriesOfOffer::owner)
              .texts(offers, FavoritesReadSet.EntriesOfOffer::offerId)
              .list(FavoritesStore::place));
    }
    List<CollectionEntry> places = List.copyOf(reads.places);
    if (!places.isEmpty()) {
      rows.addAll(
          keys(tx.sql(PLACES, places, CollectionEntry::home), places).list(FavoritesStore::place));
    }
    return rows;
  }

  private static void put(Tx tx, List<FavoriteRow> rows) throws SQLException {
    if (!rows.isEmpty()) {
      tx.sql(PUT)
          .homes(rows, FavoriteRow::home)
          .texts(rows, FavoriteRow::owner)
          .ints(rows, row -> row.kind().number())
          .texts(rows, FavoriteRow::id)
          .instants(rows, FavoriteRow::createdAt)
          .ints(rows, FavoriteRow::delivery)
          .ints(rows, FavoriteRow::size)
          .longs(rows, FavoriteRow::priceHash)
          .longs(rows, FavoriteRow::priceVersion)
          .ints(rows, FavoriteRow::newMatches)
          .instants(rows, FavoriteRow::lastNotifiedAt)
          .texts(rows, FavoriteRow::name)
          .bytes(rows, FavoriteRow::body)
          .update();
    }
  }

  private static void delete(Tx tx, List<FavoritesUnitOfWork.RowChange> changed)
      throws SQLException {
    List<FavoriteKey> gone = new ArrayList<>();
    for (FavoritesUnitOfWork.RowChange rowChange : changed) {
      if (rowChange.after() == null && rowChange.before() != null) {
        gone.add(rowChange.before().key());
      }
    }
    if (!gone.isEmpty()) {
      tx.sql(DELETE, gone, FavoriteKey::home)
          .homes(gone, FavoriteKey::home)
          .texts(gone, FavoriteKey::owner)
          .ints(gone, key -> key.kind().number())
          .texts(gone, FavoriteKey::id)
          .update();
    }
  }

  private static void writeEntries(Tx tx, FavoritesUnitOfWork work) throws SQLException {
    List<CollectionEntry> gone = new ArrayList<>();
    List<Map.Entry<CollectionEntry, Instant>> accepted = new ArrayList<>();
    work.places()
        .forEach(
            (place, slot) -> {
              Instant after = slot.after();
              if (slot.before() != null && after == null) {
                gone.add(place);
              } else if (slot.before() == null && after != null) {
                accepted.add(Map.entry(place, after));
              }
            });
    if (!work.cleared().isEmpty()) {
      clear(tx, work.cleared());
    }
    if (!gone.isEmpty()) {
      keys(tx.sql(DELETE_PLACES, gone, CollectionEntry::home), gone).update();
    }
    if (!accepted.isEmpty()) {
      keys(tx.sql(UPSERT_ENTRIES), accepted.stream().map(Map.Entry::getKey).toList())
          .instants(accepted, Map.Entry::getValue)
          .update();
    }
  }

  private static void clear(Tx tx, List<FavoriteKey> collections) throws SQLException {
    tx.sql(CLEAR, collections, FavoriteKey::home)
        .homes(collections, FavoriteKey::home)
        .texts(collections, FavoriteKey::owner)
        .texts(collections, FavoriteKey::id)
        .update();
  }

  private static Sql keys(Sql sql, List<CollectionEntry> places) throws SQLException {
    return sql.homes(places, CollectionEntry::home)
        .texts(places, CollectionEntry::owner)
        .texts(places, CollectionEntry::collection)
        .texts(places, CollectionEntry::offerId);
  }

  private static void updateOwners(Tx tx, List<OwnerRow> owners) throws SQLException {
    if (!owners.isEmpty()) {
      tx.sql(UPDATE_OWNERS, owners, OwnerRow::home)
          .homes(owners, OwnerRow::home)
          .texts(owners, owner -> owner.owner)
          .longs(owners, owner -> owner.seq)
          .longs(owners, owner -> owner.token)
          .ints(owners, owner -> owner.count(FavoriteKind.OFFER))
          .ints(owners, owner -> owner.count(FavoriteKind.SEARCH))
          .ints(owners, owner -> owner.count(FavoriteKind.SELLER))
          .ints(owners, owner -> owner.count(FavoriteKind.NOTE))
          .ints(owners, owner -> owner.count(FavoriteKind.COLLECTION))
          .update();
    }
  }

  private record PlaceRow(CollectionEntry collectionEntry, Instant at) {}

  private static PlaceRow place(Row row) throws SQLException {
    return new PlaceRow(
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
