package dev.torg.notifications.bell;

import dev.torg.notifications.operation.DeliveryMerge;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import dev.torg.platform.identity.MergedIdentity;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// SQL that moves entries from one bell to another. Entries keep time, key, size and read state; an id
/// that exists in the target bell is replaced by the next free one. Their `seq` is new, so an open stream
/// of the target bell, whose position is beyond their ids, sends them like entries that have grown.
public final class BellMergeStore {
  private static final String SEAL =
      "UPDATE bell SET moved_to = ? WHERE home = ? AND owner = ? AND moved_to IS NULL";

  private static final String READ =
      """
      SELECT id, size, offer_id, created_at, read, key, topic, body, expires_at
        FROM notification WHERE home = ? AND owner = ? ORDER BY id LIMIT ?
      """;

  private static final String SELECT_EXISTING_KEYS =
      """
      SELECT id FROM notification WHERE home = ? AND owner = ? AND id BETWEEN ? AND ?
      """;

  private static final BatchSql<Copy> COPY =
      BatchColumns.<Copy>of(copy -> Home.of(copy.owner()))
          .texts("owner", Copy::owner)
          .longs("id", Copy::id)
          .longs("seq", Copy::seq)
          .texts("key", copy -> copy.from().key())
          .texts("topic", copy -> copy.from().topic())
          .longs("offer_id", copy -> copy.from().offer())
          .instants("at", copy -> copy.from().at())
          .instants("expires_at", copy -> copy.from().expiresAt().orElse(null))
          .booleans("read", copy -> copy.from().read())
          .ints("size", copy -> copy.from().size())
          .bytes("body", copy -> copy.from().body())
          .sql(
              """
              INSERT INTO notification
                (home, owner, id, seq, key, topic, offer_id, created_at, expires_at, read, size, body)
              SELECT k.home, k.owner, k.id, k.seq, k.key, k.topic, nullif(k.offer_id, 0), k.at,
                     k.expires_at, k.read, k.size, k.body
                FROM :rows(k)
              ON CONFLICT (home, owner, key) DO NOTHING
              RETURNING topic, read, id
              """);

  private static final String RAISE =
      "UPDATE bell SET seq = greatest(seq, ?) WHERE home = ? AND owner = ?";

  private static final String REMOVE =
      """
      DELETE FROM notification WHERE home = ? AND owner = ? AND id = ANY (?::bigint[])
      RETURNING topic, read
      """;

  /// An entry as stored in the source bell.
  @SuppressWarnings("ArrayRecordComponent")
  public record SourceEntry(
      long id,
      int size,
      long offer,
      Instant at,
      boolean read,
      String key,
      String topic,
      byte[] body,
      Optional<Instant> expiresAt) {}

  /// An entry with its id and `seq` in the target bell.
  private record Copy(String owner, long id, long seq, SourceEntry from) {}

  private final BellStore store = new BellStore();
  private final DeliveryMerge deliveries = new DeliveryMerge();
  private final InstantSource clock;

  public BellMergeStore(InstantSource clock) {
    this.clock = clock;
  }

  /// Closes the bell: from now on nothing is written to it, and none of its deliveries begins. True if it was open.
  public boolean seal(Tx tx, String owner, String mergedInto) throws SQLException {
    for (BellStore.LockedBell bell :
        store.lockAndAllocateIds(tx, Set.of(owner), now(), 1).values()) {
      if (bell.isMerged() && !bell.mergedInto().equals(mergedInto)) {
        throw MergedIdentity.failure();
      }
    }
    boolean isSealed = tx.sql(SEAL).set(mergedInto).set(Home.of(owner)).set(owner).update() > 0;
    deliveries.park(tx, owner);
    return isSealed;
  }

  /// What waits to be delivered, and was delivered, of these entries.
  public DeliveryMerge.Deliveries readDeliveries(Tx tx, String owner, List<SourceEntry> page)
      throws SQLException {
    return deliveries.read(tx, owner, ids(page));
  }

  /// Adds the counts of an anonymous identity to those of its login.
  public void addCounts(Tx tx, String owner, String anonymous, DeliveryMerge.Counts counts)
      throws SQLException {
    store.lockAndAllocateIds(tx, Set.of(owner), now(), 1);
    deliveries.addCounts(tx, owner, anonymous, counts);
  }

  /// The offers that the entries of a page are about.
  public static Set<OfferId> offers(List<SourceEntry> page) {
    return page.stream()
        .filter(entry -> entry.offer() != 0)
        .map(entry -> new OfferId(entry.offer()))
        .collect(Collectors.toSet());
  }

  public List<SourceEntry> read(Tx tx, String owner, int limit) throws SQLException {
    return tx.sql(READ).set(Home.of(owner)).set(owner).set(limit).list(BellMergeStore::sourceEntry);
  }

  /// Inserts the entries whose keys do not exist, with their deliveries. Returns the
  /// new ids of those that were inserted, by their ids in the source bell.
  public Map<Long, Long> copy(
      Tx tx, String owner, List<SourceEntry> page, DeliveryMerge.Deliveries moved)
      throws SQLException {
    Map<String, BellStore.LockedBell> bells =
        store.lockAndAllocateIds(tx, Set.of(owner), now(), page.size());
    long first = Objects.requireNonNull(bells.get(owner)).first();
    List<Long> ids = freeIds(page, (from, to) -> existingIds(tx, owner, from, to));
    UnreadChanges changes = new UnreadChanges();
    List<Copy> copies =
        IntStream.range(0, page.size())
            .mapToObj(i -> new Copy(owner, ids.get(i), first + i, page.get(i)))
            .toList();
    Set<Long> copied = new HashSet<>();
    tx.sql(COPY, copies)
        .each(
            row -> {
              count(changes, owner, row, 1);
              copied.add(row.longAt(3));
            });
    store.addUnread(tx, changes);
    tx.sql(RAISE).set(ids.getLast().longValue()).set(Home.of(owner)).set(owner).update();
    Map<Long, Long> newIds =
        copies.stream()
            .filter(copy -> copied.contains(copy.id()))
            .collect(Collectors.toMap(copy -> copy.from().id(), Copy::id));
    deliveries.copy(tx, owner, moved, newIds);
    return newIds;
  }

  /// Removes entries, and the deliveries of those that have been copied. Returns attempts whose outcome was recorded
  /// meanwhile.
  public DeliveryMerge.Deliveries remove(
      Tx tx, String owner, List<SourceEntry> page, Set<Long> copied) throws SQLException {
    store.lockAndAllocateIds(tx, Set.of(owner), now(), 1);
    UnreadChanges changes = new UnreadChanges();
    tx.sql(REMOVE)
        .set(Home.of(owner))
        .set(owner)
        .longs(page, SourceEntry::id)
        .each(row -> count(changes, owner, row, -1));
    store.addUnread(tx, changes);
    return deliveries.remove(tx, owner, copied);
  }

  private static void count(UnreadChanges changes, String owner, Row row, int by)
      throws SQLException {
    changes.add(owner, row.textAt(1), row.booleanAt(2) ? 0 : by);
  }

  private static long[] ids(List<SourceEntry> page) {
    return page.stream().mapToLong(SourceEntry::id).toArray();
  }

  /// The ids of a bell from one number to another, both included.
  interface UsedIds {
    Set<Long> between(long first, long last) throws SQLException;
  }

  /// Ascending like the ids of the page, so entries keep their order. Recipients notified in one
  /// transaction get the same ids, so a long run of them may exist in the target bell.
  static List<Long> freeIds(List<SourceEntry> page, UsedIds usedIds) throws SQLException {
    List<Long> ids = new ArrayList<>();
    Set<Long> existing = Set.of();
    long checkedUpTo = Long.MIN_VALUE;
    long next = page.getFirst().id();
    for (SourceEntry entry : page) {
      next = Math.max(next, entry.id());
      while (next > checkedUpTo || existing.contains(next)) {
        if (next > checkedUpTo) {
          checkedUpTo = Math.max(next, page.getLast().id()) + 2L * page.size();
          existing = usedIds.between(next, checkedUpTo);
        } else {
          next++;
        }
      }
      ids.add(next++);
    }
    return ids;
  }

  private static Set<Long> existingIds(Tx tx, String owner, long first, long last)
      throws SQLException {
    return tx
        .sql(SELECT_EXISTING_KEYS)
        .set(Home.of(owner))
        .set(owner)
        .set(first)
        .set(last)
        .list(row -> row.longAt(1))
        .stream()
        .collect(Collectors.toCollection(HashSet::new));
  }

  private long now() {
    return EpochMicros.of(clock.instant());
  }

  private static SourceEntry sourceEntry(Row row) throws SQLException {
    return new SourceEntry(
        row.longAt(1),
        row.intAt(2),
        row.optionalLongAt(3).orElse(0L),
        row.instantAt(4),
        row.booleanAt(5),
        row.textAt(6),
        row.textAt(7),
        row.bytesAt(8),
        row.optionalInstantAt(9));
  }
}
