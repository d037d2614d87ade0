package dev.torg.platform.projection;

import dev.torg.platform.Home;
import dev.torg.platform.db.Tx;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
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
/// Where tables are distributed, one call takes rows of one home.
public final class Projection<R> {
  /// Longer than any consumer may lag: after that no event of a removed row can arrive.
  public static final Duration TOMBSTONE_RETENTION = Duration.ofDays(7);

  /// A column, its PostgreSQL type, and what to write into it.
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

  /// Has the transaction run again.
  private static final String SERIALIZATION_FAILURE = "40001";

  private final List<Column<Source<R>>> keys;
  private final List<Column<Source<R>>> columns;
  private final ProjectionSql sql;

  public Projection(String table, List<Column<R>> keys, List<Column<R>> values) {
    this.keys = keyColumns(keys);
    this.columns = new ArrayList<>(this.keys);
    values.forEach(column -> columns.add(lift(column)));
    columns.add(new Column<>("seq", "bigint", Source::seq));
    columns.add(new Column<>("removed", "boolean", Source::removed));
    this.sql =
        new ProjectionSql(table, this.keys, values.stream().map(Column::name).toList(), columns);
  }

  /// Applies what is newer than the stored rows; returns the rows that changed, each once.
  public List<Change<R>> apply(Tx tx, Collection<Source<R>> values, Instant now)
      throws SQLException {
    if (values.isEmpty()) {
      return List.of();
    }
    List<Change<R>> changes = newer(lockAll(tx, latest(values), now));
    if (!changes.isEmpty()) {
      write(tx, sql.update(), changes.stream().map(Change::source).toList(), now);
    }
    return changes;
  }

  /// Deletes tombstones of a home whose retention has ended; at most `limit`.
  public int sweep(Tx tx, Home home, Instant now, int atMost) throws SQLException {
    Instant before = now.minus(TOMBSTONE_RETENTION);
    return tx.sql(sql.sweep()).set(home).set(before).set(home).set(before).set(atMost).update();
  }

  /// Of several events about one row the one with the highest `seq`.
  private List<Source<R>> latest(Collection<Source<R>> values) {
    Map<List<@Nullable Object>, Source<R>> byKey = new LinkedHashMap<>();
    for (Source<R> one : values) {
      List<@Nullable Object> key = new ArrayList<>();
      keys.forEach(column -> key.add(column.value().apply(one)));
      byKey.merge(key, one, (a, b) -> a.seq() >= b.seq() ? a : b);
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
      write(tx, sql.insertMissing(), values, now);
      List<Locked<R>> rows = lock(tx, values);
      if (rows.size() == values.size()) {
        return rows;
      }
    }
    throw new SQLException("rows are deleted as fast as they are inserted", SERIALIZATION_FAILURE);
  }

  private List<Locked<R>> lock(Tx tx, List<Source<R>> values) throws SQLException {
    List<Locked<R>> locked = new ArrayList<>();
    try (PreparedStatement statement = tx.prepare(sql.lock(isOneHome(values)))) {
      int next = bind(statement, keys, values);
      if (isOneHome(values)) {
        statement.setInt(next, values.getFirst().home().number());
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          Source<R> one = values.get(rows.getInt(1) - 1);
          locked.add(new Locked<>(one, rows.getLong(2), rows.getBoolean(3)));
        }
      }
    }
    return locked;
  }

  private void write(Tx tx, ProjectionSql.Text text, List<Source<R>> values, Instant now)
      throws SQLException {
    boolean oneHome = isOneHome(values);
    try (PreparedStatement statement = tx.prepare(text.of(oneHome))) {
      statement.setObject(1, OffsetDateTime.ofInstant(now, ZoneOffset.UTC));
      int next = bind(statement, columns, values, 2);
      if (oneHome && text.hasHome()) {
        statement.setInt(next, values.getFirst().home().number());
      }
      statement.executeUpdate();
    }
  }

  private static <R> boolean isOneHome(List<Source<R>> values) {
    return values.stream().map(Source::home).distinct().count() == 1;
  }

  private int bind(PreparedStatement statement, List<Column<Source<R>>> bound, List<Source<R>> said)
      throws SQLException {
    return bind(statement, bound, said, 1);
  }

  private static <R> int bind(
      PreparedStatement statement, List<Column<Source<R>>> bound, List<Source<R>> said, int first)
      throws SQLException {
    int next = first;
    for (Column<Source<R>> column : bound) {
      @Nullable Object[] values = said.stream().map(column.value()).toArray();
      statement.setArray(next++, statement.getConnection().createArrayOf(column.type(), values));
    }
    return next;
  }

  private static <R> List<Column<Source<R>>> keyColumns(List<Column<R>> keys) {
    List<Column<Source<R>>> all = new ArrayList<>();
    all.add(new Column<>("home", "int", source -> source.home().number()));
    keys.forEach(column -> all.add(lift(column)));
    return all;
  }

  private static <R> Column<Source<R>> lift(Column<R> column) {
    return new Column<>(column.name(), column.type(), source -> column.value().apply(source.row()));
  }
}
