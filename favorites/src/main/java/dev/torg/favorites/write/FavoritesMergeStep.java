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

/// Moves the favorites of an anonymous identity to a login, a page at a time: a page is merged into the
/// login, then removed and counted on the anonymous side. A page that was merged and not removed is retried,
/// by this process or another. The login's [MergeCursor] shows that it has been merged, so favorites that the
/// login has removed since are not created again.
///
/// On a conflict the login's note, name and settings stay, the older time wins, and of two known prices the
/// later one. Notes and collection entries of offers that the login has removed since are dropped.
public final class FavoritesMergeStep {
  /// Moved first: a rule that has been moved must not cause alerts about a blocked seller.
  private static final String BLOCKS = rows("f.kind = " + FavoriteKind.BLOCK.number());

  private static final String SELECT_PAGE = rows("f.kind <> " + FavoriteKind.COLLECTION.number());
  private static final String COLLECTIONS = rows("f.kind = " + FavoriteKind.COLLECTION.number());

  private static final String OFFERS_OF_COLLECTION =
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

  /// @param betweenTransactions called between transactions; throws if the process is stopping
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
    return rows.isEmpty() ? collection(anonymous, login) : mergePage(anonymous, login, rows);
  }

  private List<FavoriteRow> next(Tx tx, String anonymous) throws SQLException {
    List<FavoriteRow> blocks = rows(tx, BLOCKS, anonymous, page);
    return blocks.isEmpty() ? rows(tx, SELECT_PAGE, anonymous, page) : blocks;
  }

  private boolean mergePage(String anonymous, String login, List<FavoriteRow> rows) {
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
    FavoritesUnitOfWork work = store.load(tx, readSet(login, rows));
    for (FavoriteRow row : rows) {
      if (row.kind() != FavoriteKind.NOTE || isSaved(work, login, row.id())) {
        Optional<FavoriteRow> own = work.row(row.key().of(login));
        work.put(own.map(existing -> merged(existing, row)).orElseGet(() -> row.of(login)));
      }
    }
    store.flush(tx, work, clock.instant());
    cursors.put(tx, login, anonymous, MergeCursor.at(rows.getLast()));
    return true;
  }

  private static FavoritesReadSet readSet(String login, List<FavoriteRow> rows) {
    FavoritesReadSet reads = readSet(login);
    for (FavoriteRow row : rows) {
      reads.rows.add(row.key().of(login));
      if (row.kind() == FavoriteKind.NOTE) {
        reads.rows.add(new FavoriteKey(login, FavoriteKind.OFFER, row.id()));
      }
    }
    return reads;
  }

  private static FavoriteRow merged(FavoriteRow own, FavoriteRow other) {
    FavoriteRow older =
        other.createdAt().isBefore(own.createdAt()) ? own.createdAt(other.createdAt()) : own;
    return other.priceVersion() > own.priceVersion()
        ? older.price(other.priceHash(), other.priceVersion())
        : older;
  }

  private boolean removeRows(Tx tx, String anonymous, List<FavoriteRow> rows) throws SQLException {
    FavoritesReadSet reads = readSet(anonymous);
    rows.forEach(row -> reads.rows.add(row.key()));
    FavoritesUnitOfWork work = store.load(tx, reads);
    int[] removed = new int[FavoriteKind.values().length + 1];
    for (FavoriteRow row : rows) {
      if (work.row(row.key()).isPresent()) {
        work.remove(row.key());
        removed[row.kind().number()]++;
      }
    }
    store.flush(tx, work, clock.instant());
    count(tx, anonymous, removed);
    return true;
  }

  private boolean collection(String anonymous, String login) {
    List<FavoriteRow> next = database.read(tx -> rows(tx, COLLECTIONS, anonymous, 1));
    if (next.isEmpty()) {
      return false;
    }
    FavoriteRow collection = next.getFirst();
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
    boolean started = cursor.covers(collection);
    List<Member> members =
        page.stream().filter(member -> !cursor.covers(collection, member.offerId())).toList();
    if (started && members.isEmpty()) {
      return false;
    }
    String targetId = started ? cursor.target() : collection.id();
    FavoritesUnitOfWork work = store.load(tx, readSet(login, collection, targetId, members));
    Optional<FavoriteRow> target =
        started
            ? work.row(new FavoriteKey(login, FavoriteKind.COLLECTION, targetId))
            : Optional.of(begin(work, login, collection));
    target.ifPresent(into -> addMembers(work, into, members));
    store.flush(tx, work, clock.instant());
    String last = members.isEmpty() ? "" : members.getLast().offerId();
    String into = target.map(FavoriteRow::id).orElse(targetId);
    cursors.put(tx, login, anonymous, MergeCursor.at(collection, last, into));
    return true;
  }

  private static FavoritesReadSet readSet(
      String login, FavoriteRow collection, String target, List<Member> members) {
    FavoritesReadSet reads = readSet(login);
    reads.rows.add(new FavoriteKey(login, FavoriteKind.COLLECTION, target));
    reads.names.add(new FavoritesReadSet.Named(login, collection.name()));
    for (Member member : members) {
      reads.rows.add(new FavoriteKey(login, FavoriteKind.OFFER, member.offerId()));
      reads.offers.add(new FavoritesReadSet.EntriesOfOffer(login, member.offerId()));
    }
    return reads;
  }

  /// The login's collection of the same id or name, or a new one under the same id.
  private static FavoriteRow begin(FavoritesUnitOfWork work, String login, FavoriteRow collection) {
    FavoriteRow target =
        work.row(collection.key().of(login))
            .or(() -> work.collectionNamed(login, collection.name()))
            .map(own -> merged(own, collection))
            .orElseGet(() -> collection.of(login).size(0));
    work.put(target);
    return target;
  }

  private static void addMembers(
      FavoritesUnitOfWork work, FavoriteRow target, List<Member> members) {
    for (Member member : members) {
      if (isSaved(work, target.owner(), member.offerId())) {
        work.addToCollection(
            new CollectionEntry(target.owner(), target.id(), member.offerId()), member.at());
      }
    }
  }

  private boolean removeMembers(Tx tx, FavoriteRow collection, List<Member> members)
      throws SQLException {
    FavoritesReadSet reads = readSet(collection.owner());
    reads.rows.add(collection.key());
    List<CollectionEntry> entries =
        members.stream()
            .map(
                member ->
                    new CollectionEntry(collection.owner(), collection.id(), member.offerId()))
            .toList();
    reads.entries.addAll(entries);
    FavoritesUnitOfWork work = store.load(tx, reads);
    int[] removed = new int[FavoriteKind.values().length + 1];
    entries.forEach(work::removeFromCollection);
    if (members.size() < page && work.row(collection.key()).isPresent()) {
      work.remove(collection.key());
      removed[FavoriteKind.COLLECTION.number()]++;
    }
    store.flush(tx, work, clock.instant());
    count(tx, collection.owner(), removed);
    return true;
  }

  private static boolean isSaved(FavoritesUnitOfWork work, String owner, String offerId) {
    return work.row(new FavoriteKey(owner, FavoriteKind.OFFER, offerId)).isPresent();
  }

  private static FavoritesReadSet readSet(String owner) {
    FavoritesReadSet reads = new FavoritesReadSet();
    reads.owners.add(owner);
    return reads;
  }

  private static void count(Tx tx, String anonymous, int[] removed) throws SQLException {
    for (int kind = 1; kind < removed.length; kind++) {
      if (removed[kind] > 0) {
        tx.sql(COUNT)
            .set(kind)
            .set(kind)
            .set(removed[kind])
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

  private static List<FavoriteRow> rows(Tx tx, String sql, String owner, int limit)
      throws SQLException {
    return tx.sql(sql).set(Home.of(owner)).set(owner).set(limit).list(FavoritesStore::row);
  }

  private List<Member> members(Tx tx, FavoriteRow collection) throws SQLException {
    return tx.sql(OFFERS_OF_COLLECTION)
        .set(collection.home())
        .set(collection.owner())
        .set(collection.id())
        .set(page)
        .list(row -> new Member(row.textAt(1), row.instantAt(2)));
  }
}
