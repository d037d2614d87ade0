package dev.torg.favorites.write;

import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Moves what an anonymous identity saved to a login, a page at a time: first merged into the login, then
/// removed and counted on the anonymous side. A page that was merged and not removed is tried again, by
/// this process or another. The login's [MergeCursor] then shows that it has been merged: what the login
/// has removed since is not created again.
///
/// On a clash the login's own note, name and settings stay, the older time wins, and of two prices
/// told the later one. Notes and places of offers that the login has removed meanwhile are let go.
public final class FavoritesMergeStep {
  /// They go first: a seller who is blocked must not be heard of by a rule that is there already.
  private static final String BLOCKS = rows("f.kind = 6");

  private static final String SELECT_PAGE = rows("f.kind <> 5");
  private static final String COLLECTIONS = rows("f.kind = 5");

  private static final String PLACES =
      """
      SELECT offer_id, added_at FROM collection_offer
       WHERE home = ? AND owner = ? AND collection = ? ORDER BY offer_id LIMIT ?
      """;

  private static final String COUNT =
      "UPDATE move SET moved[?] = moved[?] + ? WHERE home = ? AND anonymous = ?";

  private record Member(String offerId, Instant at) {}

  private final Database database;
  private final FavoritesStore store;
  private final MergeCursorStore cursors = new MergeCursorStore();
  private final InstantSource clock;
  private final Runnable betweenTransactions;
  private final int page;

  /// Between any two transactions the process may end: the given action may throw to say so.
  public FavoritesMergeStep(
      Database database,
      FavoritesStore store,
      InstantSource clock,
      Runnable betweenTransactions,
      int page) {
    this.database = database;
    this.store = store;
    this.clock = clock;
    this.betweenTransactions = betweenTransactions;
    this.page = page;
  }

  /// Whether there may be more.
  public boolean page(String anonymous, String login) {
    List<FavoriteRow> rows = database.read(tx -> next(tx, anonymous));
    return rows.isEmpty() ? collection(anonymous, login) : moveRows(anonymous, login, rows);
  }

  private List<FavoriteRow> next(Tx tx, String anonymous) throws SQLException {
    List<FavoriteRow> blocks = rows(tx, BLOCKS, anonymous, page);
    return blocks.isEmpty() ? rows(tx, SELECT_PAGE, anonymous, page) : blocks;
  }

  private boolean moveRows(String anonymous, String login, List<FavoriteRow> rows) {
    database.inTransaction(tx -> merge(tx, anonymous, login, rows));
    betweenTransactions.run();
    database.inTransaction(tx -> removeRows(tx, anonymous, rows));
    betweenTransactions.run();
    return true;
  }

  private boolean merge(Tx tx, String anonymous, String login, List<FavoriteRow> page)
      throws SQLException {
    MergeCursor cursor = cursors.lock(tx, login, anonymous);
    List<FavoriteRow> rows = page.stream().filter(row -> !cursor.covers(row)).toList();
    if (rows.isEmpty()) {
      return false;
    }
    FavoritesUnitOfWork book = store.load(tx, readSet(login, rows));
    for (FavoriteRow row : rows) {
      if (row.kind() != FavoriteKind.NOTE || isSaved(book, login, row.id())) {
        Optional<FavoriteRow> own = book.row(row.key().of(login));
        book.put(own.map(known -> merged(known, row)).orElseGet(() -> row.of(login)));
      }
    }
    store.flush(tx, book, clock.instant());
    cursors.put(tx, login, anonymous, MergeCursor.at(rows.getLast()));
    return true;
  }

  private static FavoritesReadSet readSet(String login, List<FavoriteRow> rows) {
    FavoritesReadSet needs = readSet(login);
    for (FavoriteRow row : rows) {
      needs.rows.add(row.key().of(login));
      if (row.kind() == FavoriteKind.NOTE) {
        needs.rows.add(new FavoriteKey(login, FavoriteKind.OFFER, row.id()));
      }
    }
    return needs;
  }

  private static FavoriteRow merged(FavoriteRow own, FavoriteRow other) {
    FavoriteRow older =
        other.createdAt().isBefore(own.createdAt()) ? own.createdAt(other.createdAt()) : own;
    return other.priceVersion() > own.priceVersion()
        ? older.price(other.priceHash(), other.priceVersion())
        : older;
  }

  private boolean removeRows(Tx tx, String anonymous, List<FavoriteRow> rows) throws SQLException {
    FavoritesReadSet needs = readSet(anonymous);
    rows.forEach(row -> needs.rows.add(row.key()));
    FavoritesUnitOfWork book = store.load(tx, needs);
    int[] gone = new int[FavoriteKind.values().length + 1];
    for (FavoriteRow row : rows) {
      if (book.row(row.key()).isPresent()) {
        book.remove(row.key());
        gone[row.kind().number()]++;
      }
    }
    store.flush(tx, book, clock.instant());
    count(tx, anonymous, gone);
    return true;
  }

  private boolean collection(String anonymous, String login) {
    List<FavoriteRow> found = database.read(tx -> rows(tx, COLLECTIONS, anonymous, 1));
    if (found.isEmpty()) {
      return false;
    }
    FavoriteRow collection = found.getFirst();
    List<Member> members = database.read(tx -> members(tx, collection));
    database.inTransaction(tx -> mergeCollection(tx, login, collection, members));
    betweenTransactions.run();
    database.inTransaction(tx -> removeMembers(tx, collection, members));
    betweenTransactions.run();
    return true;
  }

  private boolean mergeCollection(Tx tx, String login, FavoriteRow collection, List<Member> page)
      throws SQLException {
    String anonymous = collection.owner();
    MergeCursor cursor = cursors.lock(tx, login, anonymous);
    boolean begun = cursor.covers(collection);
    List<Member> members =
        page.stream().filter(member -> !cursor.covers(collection, member.offerId())).toList();
    if (begun && members.isEmpty()) {
      return false;
    }
    String known = begun ? cursor.target() : collection.id();
    FavoritesUnitOfWork book = store.load(tx, readSet(login, collection, known, members));
    Optional<FavoriteRow> target =
        begun
            ? book.row(new FavoriteKey(login, FavoriteKind.COLLECTION, known))
            : Optional.of(begin(book, login, collection));
    target.ifPresent(into -> place(book, into, members));
    store.flush(tx, book, clock.instant());
    String last = members.isEmpty() ? "" : members.getLast().offerId();
    String into = target.map(FavoriteRow::id).orElse(known);
    cursors.put(tx, login, anonymous, MergeCursor.at(collection, last, into));
    return true;
  }

  private static FavoritesReadSet readSet(
      String login, FavoriteRow collection, String target, List<Member> members) {
    FavoritesReadSet needs = readSet(login);
    needs.rows.add(new FavoriteKey(login, FavoriteKind.COLLECTION, target));
    needs.names.add(new FavoritesReadSet.Named(login, collection.name()));
    for (Member member : members) {
      needs.rows.add(new FavoriteKey(login, FavoriteKind.OFFER, member.offerId()));
      needs.offers.add(new FavoritesReadSet.EntriesOfOffer(login, member.offerId()));
    }
    return needs;
  }

  /// The login's collection of the same id or name, or a new one under the same id.
  private static FavoriteRow begin(FavoritesUnitOfWork book, String login, FavoriteRow collection) {
    FavoriteRow target =
        book.row(collection.key().of(login))
            .or(() -> book.collectionNamed(login, collection.name()))
            .map(own -> merged(own, collection))
            .orElseGet(() -> collection.of(login).size(0));
    book.put(target);
    return target;
  }

  private static void place(FavoritesUnitOfWork book, FavoriteRow target, List<Member> members) {
    for (Member member : members) {
      if (isSaved(book, target.owner(), member.offerId())) {
        book.addToCollection(
            new CollectionEntry(target.owner(), target.id(), member.offerId()), member.at());
      }
    }
  }

  private boolean removeMembers(Tx tx, FavoriteRow collection, List<Member> members)
      throws SQLException {
    FavoritesReadSet needs = readSet(collection.owner());
    needs.rows.add(collection.key());
    List<CollectionEntry> places =
        members.stream()
            .map(
                member ->
                    new CollectionEntry(collection.owner(), collection.id(), member.offerId()))
            .toList();
    needs.places.addAll(places);
    FavoritesUnitOfWork book = store.load(tx, needs);
    int[] gone = new int[FavoriteKind.values().length + 1];
    places.forEach(book::removeFromCollection);
    if (members.size() < page && book.row(collection.key()).isPresent()) {
      book.remove(collection.key());
      gone[FavoriteKind.COLLECTION.number()]++;
    }
    store.flush(tx, book, clock.instant());
    count(tx, collection.owner(), gone);
    return true;
  }

  private static boolean isSaved(FavoritesUnitOfWork book, String owner, String offerId) {
    return book.row(new FavoriteKey(owner, FavoriteKind.OFFER, offerId)).isPresent();
  }

  private static FavoritesReadSet readSet(String owner) {
    FavoritesReadSet needs = new FavoritesReadSet();
    needs.owners.add(owner);
    return needs;
  }

  private static void count(Tx tx, String anonymous, int[] gone) throws SQLException {
    for (int kind = 1; kind < gone.length; kind++) {
      if (gone[kind] > 0) {
        tx.sql(COUNT)
            .set(kind)
            .set(kind)
            .set(gone[kind])
            .set(Home.of(anonymous))
            .set(anonymous)
            .update();
      }
    }
  }

  private static String rows(String kinds) {
    return """
        SELECT %s FROM favorite f WHERE f.home = ? AND f.owner = ? AND %s
         ORDER BY f.kind, f.favorite_id LIMIT ?
        """
        .formatted(FavoritesStore.COLUMNS, kinds);
  }

  private static List<FavoriteRow> rows(Tx tx, String sql, String owner, int atMost)
      throws SQLException {
    return tx.sql(sql).set(Home.of(owner)).set(owner).set(atMost).list(FavoritesStore::row);
  }

  private List<Member> members(Tx tx, FavoriteRow collection) throws SQLException {
    return tx.sql(PLACES)
        .set(collection.home())
        .set(collection.owner())
        .set(collection.id())
        .set(page)
        .list(row -> new Member(row.textAt(1), row.instantAt(2)));
  }
}
