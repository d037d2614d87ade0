package dev.torg.notifications.bell;

import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// SQL that removes expired and old entries. Entries are found without locks, and removed under the locks of their
/// bells if they still are expired or old: an aggregated entry may have grown in the meantime.
final class EntryRemovalStore {
  /// An entry to be removed.
  record EntryId(String owner, long id) {}

  /// An owner, and whether they have old entries.
  record Owner(String id, boolean hasOldEntries) {}

  private static final BatchSql<Home> HOMES_WITH_EXPIRED =
      BatchColumns.<Home>of(home -> home)
          .sql(
              """
              SELECT k.home FROM :rows(k)
               WHERE EXISTS (SELECT FROM notification n
                              WHERE n.home = k.home AND n.expires_at <= ? AND :shard(n))
              """);

  private static final String SELECT_EXPIRED =
      """
      SELECT owner, id FROM notification
       WHERE home = ? AND expires_at <= ? ORDER BY expires_at LIMIT ?
      """;

  private static final String SELECT_OWNERS =
      """
      SELECT b.owner,
             EXISTS (SELECT FROM notification n
                      WHERE n.home = ? AND n.owner = b.owner AND n.id < ? AND n.seq < ?)
        FROM bell b
       WHERE b.home = ? AND b.owner > ? ORDER BY b.owner LIMIT ?
      """;

  private static final String SELECT_OLD =
      """
      SELECT owner, id FROM notification
       WHERE home = ? AND owner = ANY (?::text[]) AND id < ? AND seq < ? LIMIT ?
      """;

  private static final BatchColumns<EntryId> ENTRIES =
      BatchColumns.<EntryId>of(entry -> Home.of(entry.owner()))
          .texts("owner", EntryId::owner)
          .longs("id", EntryId::id);

  private static final String DELETE =
      """
      DELETE FROM notification n USING :batch(k)
       WHERE n.home = k.home AND n.owner = k.owner AND n.id = k.id AND %s AND :shard(n)
      RETURNING n.owner, n.topic, n.read
      """;

  private static final BatchSql<EntryId> DELETE_EXPIRED =
      ENTRIES.sql(DELETE.formatted("n.expires_at <= ?"));

  private static final BatchSql<EntryId> DELETE_OLD = ENTRIES.sql(DELETE.formatted("n.seq < ?"));

  private final BellStore bells = new BellStore();

  List<Home> homesWithExpired(Tx tx, List<Home> homes, Instant now) throws SQLException {
    return tx.sql(HOMES_WITH_EXPIRED, homes).set(now).list(row -> row.homeAt(1));
  }

  List<EntryId> expired(Tx tx, Home home, Instant now, int limit) throws SQLException {
    return tx.sql(SELECT_EXPIRED).set(home).set(now).set(limit).list(EntryRemovalStore::entry);
  }

  /// The owners of bells after the given one, in order.
  List<Owner> owners(Tx tx, Home home, String after, Instant cutoff, int limit)
      throws SQLException {
    long micros = EpochMicros.of(cutoff);
    return tx.sql(SELECT_OWNERS)
        .set(home)
        .set(micros)
        .set(micros)
        .set(home)
        .set(after)
        .set(limit)
        .list(row -> new Owner(row.textAt(1), row.booleanAt(2)));
  }

  List<EntryId> old(Tx tx, Home home, List<String> owners, Instant cutoff, int limit)
      throws SQLException {
    long micros = EpochMicros.of(cutoff);
    return tx.sql(SELECT_OLD)
        .set(home)
        .texts(owners, owner -> owner)
        .set(micros)
        .set(micros)
        .set(limit)
        .list(EntryRemovalStore::entry);
  }

  /// Removes those that are expired, and returns the owners who lost entries.
  Set<String> removeExpired(Tx tx, List<EntryId> entries, Instant now) throws SQLException {
    lock(tx, entries, now);
    return remove(tx, tx.sql(DELETE_EXPIRED, entries).set(now).list(EntryRemovalStore::removed));
  }

  /// Removes those that have not changed since the cutoff, and returns the owners who lost entries.
  Set<String> removeOld(Tx tx, List<EntryId> entries, Instant cutoff, Instant now)
      throws SQLException {
    lock(tx, entries, now);
    return remove(
        tx,
        tx.sql(DELETE_OLD, entries).set(EpochMicros.of(cutoff)).list(EntryRemovalStore::removed));
  }

  private void lock(Tx tx, List<EntryId> entries, Instant now) throws SQLException {
    Set<String> owners = entries.stream().map(EntryId::owner).collect(Collectors.toSet());
    bells.lockAndAllocateIds(tx, owners, EpochMicros.of(now), 1);
  }

  private Set<String> remove(Tx tx, List<Removed> removed) throws SQLException {
    UnreadChanges changes = new UnreadChanges();
    Set<String> owners = new HashSet<>();
    for (Removed entry : removed) {
      owners.add(entry.owner());
      changes.add(entry.owner(), entry.topic(), entry.read() ? 0 : -1);
    }
    bells.addUnread(tx, changes);
    return owners;
  }

  private record Removed(String owner, String topic, boolean read) {}

  private static Removed removed(Row row) throws SQLException {
    return new Removed(row.textAt(1), row.textAt(2), row.booleanAt(3));
  }

  private static EntryId entry(Row row) throws SQLException {
    return new EntryId(row.textAt(1), row.longAt(2));
  }
}
