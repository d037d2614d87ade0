package dev.torg.platform.projection;

import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A table in one home built from events of another. Its consumer may receive events twice, late, or from a
/// zombie, so a row holds the source's `seq` and changes only to a higher one; a removal leaves the row as a
/// tombstone, which rejects late events.
///
/// Besides its columns the table has `home int`, `seq bigint` and `removed_at timestamptz` (null while the row
/// is live), and the primary key `(home, key columns)` in the order given here.
///
/// **Concurrency.** Missing rows are first inserted as tombstones of `seq` 0, then all rows are locked in key
/// order, compared and written; a row that a sweep deletes in between is inserted again. So every result about
/// the previous state is exact, and counts derived from the [Change]s in the same transaction never drift.
/// Where tables are distributed, one call takes rows of one shard.
public final class Projection<R> {
  /// Longer than any consumer may lag: after that no event of a removed row can arrive.
  public static final Duration TOMBSTONE_RETENTION = Duration.ofDays(7);

  /// A column, its PostgreSQL type, and what to write into it. Values of `int` and `bigint` are never null.
  public record Column<R>(String name, String type, Function<R, @Nullable Object> value) {}

  /// The state of a row at its source as of `seq`: present with these values, or removed.
  public record Source<R>(Home home, long seq, boolean removed, R row) {}

  /// A row that changed. `before` is true if it was live.
  public record Change<R>(Source<R> source, boolean before) {
    /// Its effect on a count of rows: 1, 0 or -1.
    public int difference() {
      return (source.removed ? 0 : 1) - (before ? 1 : 0);
    }
  }

  /// A locked row: its `seq` and whether it is live, with the state at its source.
  private record Locked<R>(Source<R> source, long seq, boolean present) {}

  /// Two are enough, as long as clocks agree within [#TOMBSTONE_RETENTION].
  private static final int MAX_LOCK_ATTEMPTS = 5;

  /// Causes a retry of the transaction.
  private static final String SERIALIZATION_FAILURE = "40001";

  private final List<Column<R>> keys;
  private final ProjectionSql<R> sql;

  public Projection(String table, List<Column<R>> keys, List<Column<R>> values) {
    this.keys = List.copyOf(keys);
    this.sql = new ProjectionSql<>(table, keys, values);
  }

  /// Applies what is newer than the stored rows; returns the rows that changed, each once.
  public List<Change<R>> apply(Tx tx, Collection<Source<R>> values, Instant now)
      throws SQLException {
    List<Change<R>> changes = newer(lockAll(tx, latest(values), now));
    tx.sql(sql.update(), changes.stream().map(Change::source).toList()).set(now).update();
    return changes;
  }

  /// Deletes tombstones of a home whose retention has ended; at most `limit`.
  public int sweep(Tx tx, Home home, Instant now, int limit) throws SQLException {
    Instant before = now.minus(TOMBSTONE_RETENTION);
    return tx.sql(sql.sweep()).set(home).set(before).set(home).set(before).set(limit).update();
  }

  /// Of several events about one row the one with the highest `seq`.
  private List<Source<R>> latest(Collection<Source<R>> values) {
    Map<List<@Nullable Object>, Source<R>> byKey = new LinkedHashMap<>();
    for (Source<R> source : values) {
      List<@Nullable Object> key = new ArrayList<>();
      key.add(source.home());
      keys.forEach(column -> key.add(column.value().apply(source.row())));
      byKey.merge(key, source, (a, b) -> a.seq() >= b.seq() ? a : b);
    }
    return List.copyOf(byKey.values());
  }

  private List<Change<R>> newer(List<Locked<R>> rows) {
    List<Change<R>> changes = new ArrayList<>();
    for (Locked<R> row : rows) {
      if (row.source.seq() > row.seq) {
        changes.add(new Change<>(row.source, row.present));
      }
    }
    return changes;
  }

  /// A sweep may delete an old tombstone after it was found and before it is locked. Then the row is inserted
  /// again; that row, or the one of a concurrent transaction, is too recent to be swept.
  private List<Locked<R>> lockAll(Tx tx, List<Source<R>> values, Instant now) throws SQLException {
    for (int attempt = 1; attempt <= MAX_LOCK_ATTEMPTS; attempt++) {
      tx.sql(sql.insertMissing(), values).set(now).update();
      List<Locked<R>> rows = lock(tx, values);
      if (rows.size() == values.size()) {
        return rows;
      }
    }
    throw new SQLException("rows are deleted as fast as they are inserted", SERIALIZATION_FAILURE);
  }

  private List<Locked<R>> lock(Tx tx, List<Source<R>> values) throws SQLException {
    return tx.sql(sql.lock(), values)
        .list(row -> new Locked<>(values.get(row.intAt(1) - 1), row.longAt(2), row.booleanAt(3)));
  }
}
