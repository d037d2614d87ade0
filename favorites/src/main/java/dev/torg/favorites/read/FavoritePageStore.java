package dev.torg.favorites.read;

import dev.torg.api.v1.FavoriteNote;
import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.write.FavoriteKey;
import dev.torg.favorites.write.FavoriteRow;
import dev.torg.favorites.write.FavoritesStore;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// SQL that reads pages of favorites, of many owners at once.
final class FavoritePageStore {
  private static final BatchColumns<PageKey> PAGE_KEYS =
      BatchColumns.of(PageKey::home)
          .texts("owner", PageKey::owner)
          .instants("at", key -> key.cursor().at())
          .texts("id", key -> key.cursor().id())
          .instants("after", PageKey::createdAfter)
          .ints("most", PageKey::limit);

  private static final BatchSql<PageKey> PAGES =
      PAGE_KEYS
          .ints("kind", key -> key.kind().number())
          .sql(
              """
          SELECT %s, k.n
            FROM :batch(k, n)
           CROSS JOIN LATERAL (
             SELECT * FROM favorite f
              WHERE f.home = k.home AND f.owner = k.owner AND f.kind = k.kind
                AND (f.created_at, f.favorite_id) < (k.at, k.id) AND f.created_at > k.after
                AND :shard(f)
              ORDER BY f.created_at DESC, f.favorite_id DESC LIMIT k.most) AS f
          """
                  .formatted(FavoritesStore.COLUMNS));

  /// Offers are listed most often: an index-only scan.
  private static final BatchSql<PageKey> OFFER_PAGES =
      PAGE_KEYS.sql(
          """
          SELECT k.n, f.favorite_id, f.created_at, o.notes, o.collections
            FROM :batch(k, n)
            JOIN favorite_owner o ON o.home = k.home AND o.owner = k.owner
           CROSS JOIN LATERAL (
             SELECT f.favorite_id, f.created_at FROM favorite f
              WHERE f.home = k.home AND f.owner = k.owner AND f.kind = %d
                AND (f.created_at, f.favorite_id) < (k.at, k.id) AND f.created_at > k.after
                AND :shard(f)
              ORDER BY f.created_at DESC, f.favorite_id DESC LIMIT k.most) AS f
           WHERE :shard(o)
          """
              .formatted(FavoriteKind.OFFER.number()));

  private static final Comparator<SavedItem> NEWEST_FIRST =
      Comparator.comparing((SavedItem savedItem) -> savedItem.row().createdAt())
          .thenComparing(savedItem -> savedItem.row().id())
          .reversed();

  private static final BatchSql<FavoriteKey> COLLECTIONS_OF_OFFERS =
      BatchColumns.of(FavoriteKey::home)
          .texts("owner", FavoriteKey::owner)
          .texts("offer_id", FavoriteKey::id)
          .sql(
              """
              SELECT c.owner, c.offer_id, c.collection
                FROM :batch(k)
                JOIN collection_offer c ON c.home = k.home AND c.owner = k.owner
                                       AND c.offer_id = k.offer_id
               WHERE :shard(c) ORDER BY c.collection
              """);

  private static final BatchSql<String> OWNERS =
      BatchColumns.<String>of(Home::of)
          .texts("owner", owner -> owner)
          .sql(
              """
              SELECT o.owner, o.offers, o.searches, o.sellers, o.notes, o.collections
                FROM :batch(k)
                JOIN favorite_owner o ON o.home = k.home AND o.owner = k.owner
               WHERE :shard(o)
              """);

  private static final String COLLECTION =
      """
      SELECT offer_id, added_at FROM collection_offer
       WHERE home = ? AND owner = ? AND collection = ? AND (added_at, offer_id) < (?, ?)
       ORDER BY added_at DESC, offer_id DESC LIMIT ?
      """;

  /// An offer in a collection and the time it was added.
  record CollectionItem(String offerId, Instant at) {}

  /// Pages of all kinds except offers. Empty pages are omitted.
  Map<PageKey, List<SavedItem>> pages(Tx tx, List<PageKey> keys) throws SQLException {
    Map<PageKey, List<SavedItem>> pages = new HashMap<>();
    tx.sql(PAGES, keys)
        .each(row -> add(pages, keys.get(row.intAt(13) - 1), undecorated(FavoritesStore.row(row))));
    pages.values().forEach(page -> page.sort(NEWEST_FIRST));
    return pages;
  }

  /// Pages of offers with their notes and collections.
  Map<PageKey, List<SavedItem>> offerPages(Tx tx, List<PageKey> keys) throws SQLException {
    Map<PageKey, List<SavedItem>> pages = new HashMap<>();
    List<FavoriteKey> noted = new ArrayList<>();
    List<FavoriteKey> collected = new ArrayList<>();
    tx.sql(OFFER_PAGES, keys)
        .each(
            row -> {
              PageKey page = keys.get(row.intAt(1) - 1);
              FavoriteKey key = new FavoriteKey(page.owner(), FavoriteKind.OFFER, row.textAt(2));
              add(pages, page, undecorated(FavoriteRow.of(key, row.instantAt(3))));
              addIf(row.intAt(4) > 0, noted, key);
              addIf(row.intAt(5) > 0, collected, key);
            });
    decorate(pages, notes(tx, noted), collections(tx, collected));
    pages.values().forEach(page -> page.sort(NEWEST_FIRST));
    return pages;
  }

  private static void decorate(
      Map<PageKey, List<SavedItem>> pages,
      Map<FavoriteKey, String> notes,
      Map<FavoriteKey, List<String>> collections) {
    if (!notes.isEmpty() || !collections.isEmpty()) {
      pages
          .values()
          .forEach(page -> page.replaceAll(savedItem -> decorated(savedItem, notes, collections)));
    }
  }

  private static SavedItem decorated(
      SavedItem savedItem,
      Map<FavoriteKey, String> notes,
      Map<FavoriteKey, List<String>> collections) {
    FavoriteKey key = savedItem.row().key();
    return new SavedItem(
        savedItem.row(), notes.getOrDefault(key, ""), collections.getOrDefault(key, List.of()));
  }

  static SavedItem undecorated(FavoriteRow row) {
    return new SavedItem(row, row.kind() == FavoriteKind.NOTE ? noteText(row) : "", List.of());
  }

  private static void add(Map<PageKey, List<SavedItem>> pages, PageKey key, SavedItem savedItem) {
    pages.computeIfAbsent(key, _ -> new ArrayList<>()).add(savedItem);
  }

  private static void addIf(boolean condition, List<FavoriteKey> keys, FavoriteKey key) {
    if (condition) {
      keys.add(key);
    }
  }

  /// Counts by kind, of owners who have any favorites.
  Map<String, Map<FavoriteKind, Integer>> counts(Tx tx, List<String> owners) throws SQLException {
    Map<String, Map<FavoriteKind, Integer>> counts = new HashMap<>();
    tx.sql(OWNERS, owners)
        .each(
            row -> {
              Map<FavoriteKind, Integer> kinds = new EnumMap<>(FavoriteKind.class);
              kinds.put(FavoriteKind.OFFER, row.intAt(2));
              kinds.put(FavoriteKind.SEARCH, row.intAt(3));
              kinds.put(FavoriteKind.SELLER, row.intAt(4));
              kinds.put(FavoriteKind.NOTE, row.intAt(5));
              kinds.put(FavoriteKind.COLLECTION, row.intAt(6));
              counts.put(row.textAt(1), kinds);
            });
    return counts;
  }

  List<CollectionItem> collection(
      Tx tx, String owner, String collection, FavoriteCursor cursor, int limit)
      throws SQLException {
    return tx.sql(COLLECTION)
        .set(Home.of(owner))
        .set(owner)
        .set(collection)
        .set(cursor.at())
        .set(cursor.id())
        .set(limit)
        .list(row -> new CollectionItem(row.textAt(1), row.instantAt(2)));
  }

  /// Favorites by key, offers with notes and collections. Missing ones are omitted.
  Map<FavoriteKey, SavedItem> get(Tx tx, List<FavoriteKey> keys) throws SQLException {
    Map<FavoriteKey, SavedItem> items = new HashMap<>();
    List<FavoriteRow> rows = FavoritesStore.rows(tx, keys);
    List<FavoriteKey> offers =
        rows.stream()
            .map(FavoriteRow::key)
            .filter(key -> key.kind() == FavoriteKind.OFFER)
            .toList();
    Map<FavoriteKey, String> notes = notes(tx, offers);
    Map<FavoriteKey, List<String>> collections = collections(tx, offers);
    for (FavoriteRow row : rows) {
      SavedItem savedItem = undecorated(row);
      items.put(
          row.key(),
          row.kind() == FavoriteKind.OFFER ? decorated(savedItem, notes, collections) : savedItem);
    }
    return items;
  }

  private static Map<FavoriteKey, String> notes(Tx tx, List<FavoriteKey> offers)
      throws SQLException {
    List<FavoriteKey> keys =
        offers.stream()
            .map(key -> new FavoriteKey(key.owner(), FavoriteKind.NOTE, key.id()))
            .toList();
    Map<FavoriteKey, String> notes = new HashMap<>();
    for (FavoriteRow row : FavoritesStore.rows(tx, keys)) {
      notes.put(new FavoriteKey(row.owner(), FavoriteKind.OFFER, row.id()), noteText(row));
    }
    return notes;
  }

  private static Map<FavoriteKey, List<String>> collections(Tx tx, List<FavoriteKey> offers)
      throws SQLException {
    Map<FavoriteKey, List<String>> collections = new HashMap<>();
    tx.sql(COLLECTIONS_OF_OFFERS, offers)
        .each(
            row ->
                collections
                    .computeIfAbsent(
                        new FavoriteKey(row.textAt(1), FavoriteKind.OFFER, row.textAt(2)),
                        _ -> new ArrayList<>())
                    .add(row.textAt(3)));
    return collections;
  }

  static String noteText(FavoriteRow note) {
    return StoredProto.parse(FavoriteNote.parser(), note.body(), "note").getText();
  }
}
