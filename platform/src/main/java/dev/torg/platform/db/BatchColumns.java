package dev.torg.platform.db;

import dev.torg.platform.Home;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The columns that the statements about a batch of items share: each has a name, a type, and its value of an
/// item. The first one is the item's `home`.
///
/// Immutable: every method that adds a column returns new columns.
public final class BatchColumns<T> {
  private static final String HOME = "home";

  private final Function<? super T, Home> home;
  private final List<Column<T>> columns;

  private BatchColumns(Function<? super T, Home> home, List<Column<T>> columns) {
    this.home = home;
    this.columns = columns;
  }

  /// Binds the values of all items as one array.
  @FunctionalInterface
  private interface Binder<T> {
    Sql bind(Sql sql, List<T> items) throws SQLException;
  }

  private record Column<T>(String name, String type, Binder<T> binder) {}

  public static <T> BatchColumns<T> of(Function<? super T, Home> home) {
    return new BatchColumns<T>(home, List.of())
        .with(HOME, "int", (sql, items) -> sql.homes(items, home));
  }

  public BatchColumns<T> ints(String name, ToIntFunction<? super T> value) {
    return with(name, "int", (sql, items) -> sql.ints(items, value));
  }

  public BatchColumns<T> longs(String name, ToLongFunction<? super T> value) {
    return with(name, "bigint", (sql, items) -> sql.longs(items, value));
  }

  public BatchColumns<T> booleans(String name, Function<? super T, Boolean> value) {
    return with(name, "boolean", (sql, items) -> sql.booleans(items, value));
  }

  public BatchColumns<T> texts(String name, Function<? super T, @Nullable String> value) {
    return with(name, "text", (sql, items) -> sql.texts(items, value));
  }

  public BatchColumns<T> bytes(String name, Function<? super T, byte @Nullable []> value) {
    return with(name, "bytea", (sql, items) -> sql.bytes(items, value));
  }

  public BatchColumns<T> instants(String name, Function<? super T, @Nullable Instant> value) {
    return with(name, "timestamptz", (sql, items) -> sql.instants(items, value));
  }

  /// A column of another type, whose values are sent as text, such as `uuid` or `date`.
  public BatchColumns<T> others(
      String name, String type, Function<? super T, @Nullable String> value) {
    return with(name, type, (sql, items) -> sql.texts(items, value));
  }

  private BatchColumns<T> with(String name, String type, Binder<T> binder) {
    List<Column<T>> more = new ArrayList<>(columns);
    more.add(new Column<>(name, type, binder));
    return new BatchColumns<>(home, List.copyOf(more));
  }

  /// A statement about a batch with these columns; see [BatchSql] for its markers. The text is a constant.
  public BatchSql<T> sql(String text) {
    return new BatchSql<>(this, text);
  }

  int count() {
    return columns.size();
  }

  /// `home, id, …`, each with the prefix.
  String names(String prefix) {
    return columns.stream().map(column -> prefix + column.name()).collect(Collectors.joining(", "));
  }

  /// `unnest(?::int[], ?::bigint[], …)`.
  String unnested() {
    return columns.stream()
        .map(column -> "?::" + column.type() + "[]")
        .collect(Collectors.joining(", ", "unnest(", ")"));
  }

  void bind(Sql sql, List<T> items) throws SQLException {
    for (Column<T> column : columns) {
      column.binder().bind(sql, items);
    }
  }

  void bindHomes(Sql sql, List<T> items) throws SQLException {
    Set<Home> distinct = new LinkedHashSet<>();
    items.forEach(item -> distinct.add(home.apply(item)));
    sql.homes(List.copyOf(distinct), item -> item);
  }
}
