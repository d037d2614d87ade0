package dev.torg.notifications.bell;

import dev.torg.notifications.AggregatedNotification;
import dev.torg.notifications.DeliveryRequest;
import dev.torg.notifications.NewNotification;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import dev.torg.platform.identity.MergedIdentity;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// SQL over entries and unread counts. Every transaction that changes a bell calls [#lockAndAllocateIds]
/// first: it locks the bells of all recipients in the order of their keys (docs/data-model.md#lock-order),
/// so that of two transactions about one recipient the second sees the changes of the first.
///
/// The recipients of a call are of one shard.
public final class BellStore {
  private static final BatchColumns<NewEntry> NEW_ENTRIES =
      BatchColumns.<NewEntry>of(entry -> entry.from().home())
          .texts("owner", entry -> entry.from().recipient())
          .longs("id", NewEntry::id)
          .texts("key", entry -> entry.from().key())
          .texts("topic", entry -> entry.from().topic())
          .longs("offer_id", BellStore::offer)
          .instants("at", entry -> entry.from().at())
          .instants("expires_at", entry -> expiry(entry.from().delivery()))
          .ints("size", NewEntry::size)
          .bytes("body", NewEntry::body);

  private static final BatchColumns<AggregatedNotification> KEYS =
      BatchColumns.of(AggregatedNotification::home)
          .texts("owner", AggregatedNotification::recipient)
          .texts("key", AggregatedNotification::key);

  private static final BatchColumns<AggregatedEntry> AGGREGATED =
      BatchColumns.of(AggregatedEntry::home)
          .texts("owner", AggregatedEntry::owner)
          .longs("id", AggregatedEntry::id)
          .ints("size", AggregatedEntry::size)
          .longs("seq", AggregatedEntry::seq)
          .instants("expires_at", entry -> expiry(entry.delivery()))
          .bytes("body", AggregatedEntry::body);

  private static final BatchColumns<UnreadChanges.Change> UNREAD =
      BatchColumns.<UnreadChanges.Change>of(change -> Home.of(change.owner()))
          .texts("owner", UnreadChanges.Change::owner)
          .texts("topic", UnreadChanges.Change::topic)
          .ints("count", UnreadChanges.Change::difference);

  private static final BatchSql<String> LOCK_AND_ALLOCATE =
      BatchColumns.<String>of(Home::of)
          .texts("owner", owner -> owner)
          .sql(
              """
              INSERT INTO bell (home, owner, seq, ids)
              SELECT k.home, k.owner, ?::bigint, ?::int FROM :rows(k) ORDER BY k.home, k.owner
              ON CONFLICT (home, owner) DO UPDATE
                SET seq = greatest(bell.seq + excluded.ids, excluded.seq), ids = excluded.ids
              RETURNING owner, seq, moved_to
              """);

  private static final BatchSql<NewEntry> INSERT =
      NEW_ENTRIES.sql(
          """
          INSERT INTO notification
            (home, owner, id, seq, key, topic, offer_id, created_at, expires_at, read, size, body)
          SELECT k.home, k.owner, k.id, k.id, k.key, k.topic, nullif(k.offer_id, 0), k.at,
                 k.expires_at, false, k.size, k.body
            FROM :rows(k)
          ON CONFLICT (home, owner, key) DO NOTHING
          RETURNING owner, key, id, topic
          """);

  private static final BatchSql<AggregatedNotification> FIND_KEYS =
      KEYS.sql(
          """
          SELECT n.owner, n.key, n.id, n.topic, n.size, n.read
            FROM :batch(k)
            JOIN notification n ON n.home = k.home AND n.owner = k.owner AND n.key = k.key
           WHERE :shard(n)
          """);

  private static final BatchSql<AggregatedEntry> UPDATE_AGGREGATED =
      AGGREGATED.sql(
          """
          UPDATE notification n SET size = k.size, seq = k.seq, expires_at = k.expires_at,
                 read = false, body = k.body
            FROM :batch(k)
           WHERE n.home = k.home AND n.owner = k.owner AND n.id = k.id AND :shard(n)
          """);

  private static final BatchSql<UnreadChanges.Change> ADD_UNREAD =
      UNREAD.sql(
          """
          INSERT INTO unread (home, owner, topic, count)
          SELECT k.home, k.owner, k.topic, k.count FROM :rows(k)
           ORDER BY k.home, k.owner, k.topic
          ON CONFLICT (home, owner, topic) DO UPDATE SET count = unread.count + excluded.count
          """);

  private static final String SELECT_RECIPIENTS =
      """
      SELECT DISTINCT owner FROM (
        SELECT owner FROM notification
         WHERE home = ? AND offer_id = ? AND NOT read ORDER BY owner LIMIT ?) AS recipients
      """;

  private static final String HOMES_OF =
      "SELECT DISTINCT home FROM notification WHERE home = ANY (?::int[]) AND offer_id = ? AND NOT read";

  private static final String WITHDRAW =
      """
      DELETE FROM notification
       WHERE home = ? AND offer_id = ? AND NOT read AND owner = ANY (?::text[])
      RETURNING owner, topic
      """;

  /// A locked bell. The ids from `first` on belong to the caller, unless the recipient's identity was
  /// merged into a login.
  public record LockedBell(long first, String mergedInto) {
    public boolean isMerged() {
      return !mergedInto.isEmpty();
    }

    /// Fails with CONFLICT if the recipient's identity was merged into a login.
    public void requireNotMerged() {
      if (isMerged()) {
        throw MergedIdentity.failure();
      }
    }
  }

  /// An entry to be inserted under its id.
  @SuppressWarnings("ArrayRecordComponent")
  record NewEntry(NewNotification from, long id, int size, byte[] body) {}

  /// An entry that exists under a key.
  record ExistingEntry(String owner, String key, long id, String topic, int size, boolean read) {}

  /// The new size, `seq`, expiry and body of an aggregated entry.
  @SuppressWarnings("ArrayRecordComponent")
  record AggregatedEntry(
      Home home,
      String owner,
      long id,
      int size,
      long seq,
      DeliveryRequest delivery,
      byte[] body) {}

  /// A row that was inserted.
  record Inserted(String owner, String key, long id, String topic) {}

  /// Locks the bells of these recipients, creating those that do not exist, and allocates `ids` ids in each.
  public Map<String, LockedBell> lockAndAllocateIds(
      Tx tx, Set<String> recipients, long nowMicros, int ids) throws SQLException {
    List<String> list = List.copyOf(recipients);
    Map<String, LockedBell> bells = HashMap.newHashMap(list.size());
    tx.sql(LOCK_AND_ALLOCATE, list)
        .set(nowMicros + ids)
        .set(ids)
        .each(
            row ->
                bells.put(
                    row.textAt(1),
                    new LockedBell(row.longAt(2) - ids + 1, row.optionalTextAt(3).orElse(""))));
    return bells;
  }

  /// The entries whose keys did not exist.
  List<Inserted> insert(Tx tx, List<NewEntry> entries) throws SQLException {
    return tx.sql(INSERT, entries).list(BellStore::inserted);
  }

  List<ExistingEntry> findKeys(Tx tx, List<AggregatedNotification> entries) throws SQLException {
    return tx.sql(FIND_KEYS, entries).list(BellStore::existing);
  }

  void updateAggregated(Tx tx, List<AggregatedEntry> entries) throws SQLException {
    tx.sql(UPDATE_AGGREGATED, entries).update();
  }

  void addUnread(Tx tx, UnreadChanges changes) throws SQLException {
    tx.sql(ADD_UNREAD, changes.list()).update();
  }

  List<Home> homesWithUnread(Tx tx, OfferId offer) throws SQLException {
    int[] all = IntStream.range(0, Home.COUNT).toArray();
    return tx.sql(HOMES_OF).ints(all).set(offer.number()).list(row -> row.homeAt(1));
  }

  List<String> recipientsOf(Tx tx, Home home, OfferId offer, int limit) throws SQLException {
    return tx.sql(SELECT_RECIPIENTS)
        .set(home)
        .set(offer.number())
        .set(limit)
        .list(row -> row.textAt(1));
  }

  UnreadChanges withdraw(Tx tx, Home home, OfferId offer, List<String> recipients)
      throws SQLException {
    UnreadChanges changes = new UnreadChanges();
    tx.sql(WITHDRAW)
        .set(home)
        .set(offer.number())
        .texts(recipients, recipient -> recipient)
        .each(row -> changes.add(row.textAt(1), row.textAt(2), -1));
    return changes;
  }

  private static @Nullable Instant expiry(DeliveryRequest delivery) {
    return delivery.expiresAt().orElse(null);
  }

  private static long offer(NewEntry entry) {
    OfferId offer = entry.from().offer();
    return offer == null ? 0 : offer.number();
  }

  private static Inserted inserted(Row row) throws SQLException {
    return new Inserted(row.textAt(1), row.textAt(2), row.longAt(3), row.textAt(4));
  }

  private static ExistingEntry existing(Row row) throws SQLException {
    return new ExistingEntry(
        row.textAt(1), row.textAt(2), row.longAt(3), row.textAt(4), row.intAt(5), row.booleanAt(6));
  }
}
