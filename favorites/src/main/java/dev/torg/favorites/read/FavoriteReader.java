package dev.torg.favorites.read;

import dev.torg.favorites.FavoriteKind;
import dev.torg.favorites.write.FavoriteKey;
import dev.torg.favorites.write.FavoriteRow;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.coalesce.ReadCoalescer;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Reads favorites. Concurrent requests for pages share a statement, which sees everything committed before
/// the request.
public final class FavoriteReader implements AutoCloseable {
  /// A page; the token of the next one, empty at the end; and for each item the token of the page after it.
  public record Page(List<SavedItem> items, List<String> tokens, String nextToken) {
    /// The token of the next page when only the first items are shown.
    public String tokenAfter(int shown) {
      return shown < items.size() ? tokens.get(shown - 1) : nextToken;
    }
  }

  private final Database database;
  private final FavoritePageStore store = new FavoritePageStore();
  private final ReadCoalescer<PageKey, List<SavedItem>> pages;

  public FavoriteReader(Database database, CoalescerSettings settings, MeterRegistry registry) {
    this.database = database;
    this.pages = new ReadCoalescer<>(settings, database, PageKey::home, this::load, registry);
  }

  /// The future completes on a reader's thread, so dependent stages must not block.
  public CompletableFuture<Page> list(
      String owner, FavoriteKind kind, Instant createdAfter, int size, String token) {
    PageKey key = new PageKey(owner, kind, FavoriteCursor.of(token), createdAfter, size + 1);
    return pages.get(key).thenApply(items -> page(items.orElse(List.of()), size));
  }

  private static Page page(List<SavedItem> items, int size) {
    List<SavedItem> shown = items.subList(0, Math.min(size, items.size()));
    List<String> tokens = shown.stream().map(savedItem -> token(savedItem.row())).toList();
    return new Page(shown, tokens, items.size() > size ? tokens.getLast() : "");
  }

  private static String token(FavoriteRow row) {
    return new FavoriteCursor(row.createdAt(), row.id()).token();
  }

  /// The favorites that exist, in the order of the ids. Blocks.
  public List<SavedItem> get(String owner, FavoriteKind kind, List<String> ids) {
    List<FavoriteKey> keys =
        ids.stream().distinct().map(id -> new FavoriteKey(owner, kind, id)).toList();
    Map<FavoriteKey, SavedItem> items = database.read(tx -> store.get(tx, keys));
    return keys.stream().map(items::get).filter(Objects::nonNull).toList();
  }

  public Optional<SavedItem> get(String owner, FavoriteKind kind, String id) {
    return get(owner, kind, List.of(id)).stream().findFirst();
  }

  /// A page of a collection, latest additions first. Blocks.
  public Page collection(String owner, String collection, int size, String token) {
    FavoriteCursor cursor = FavoriteCursor.of(token);
    List<FavoritePageStore.CollectionItem> rows =
        database.read(tx -> store.collection(tx, owner, collection, cursor, size + 1));
    List<FavoritePageStore.CollectionItem> shown = rows.stream().limit(size).toList();
    List<SavedItem> items =
        get(
            owner,
            FavoriteKind.OFFER,
            shown.stream().map(FavoritePageStore.CollectionItem::offerId).toList());
    Map<String, String> tokens = new HashMap<>();
    shown.forEach(item -> tokens.put(item.offerId(), token(item)));
    return new Page(
        items,
        items.stream().map(savedItem -> tokens.getOrDefault(savedItem.row().id(), "")).toList(),
        rows.size() > size ? token(shown.getLast()) : "");
  }

  private static String token(FavoritePageStore.CollectionItem item) {
    return new FavoriteCursor(item.at(), item.offerId()).token();
  }

  /// Blocks.
  public Map<FavoriteKind, Integer> counts(String owner) {
    return database.read(tx -> store.counts(tx, List.of(owner))).getOrDefault(owner, Map.of());
  }

  private Map<PageKey, List<SavedItem>> load(Tx tx, List<PageKey> keys) throws SQLException {
    List<PageKey> offers = new ArrayList<>();
    List<PageKey> others = new ArrayList<>();
    keys.forEach(key -> (key.kind() == FavoriteKind.OFFER ? offers : others).add(key));
    Map<PageKey, List<SavedItem>> loaded = new HashMap<>();
    loaded.putAll(store.offerPages(tx, offers));
    loaded.putAll(store.pages(tx, others));
    return loaded;
  }

  @Override
  public void close() {
    pages.close();
  }
}
