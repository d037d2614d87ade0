package dev.torg.platform.projection;

import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.projection.Projection.Column;
import dev.torg.platform.projection.Projection.Source;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The statements of a projection, generated once from its columns.
final class ProjectionSql<R> {
  private final BatchSql<Source<R>> insertMissing;
  private final BatchSql<Source<R>> lock;
  private final BatchSql<Source<R>> update;
  private final String sweep;

  ProjectionSql(String table, List<Column<R>> keys, List<Column<R>> values) {
    List<String> keyNames =
        Stream.concat(Stream.of("home"), keys.stream().map(Column::name)).toList();
    List<String> valueNames = values.stream().map(Column::name).toList();
    BatchColumns<Source<R>> keyColumns = BatchColumns.of(Source::home);
    for (Column<R> column : keys) {
      keyColumns = with(keyColumns, column);
    }
    BatchColumns<Source<R>> columns = keyColumns;
    for (Column<R> column : values) {
      columns = with(columns, column);
    }
    insertMissing =
        columns.sql(
            """
            INSERT INTO %s (%s, %s seq, removed_at)
            SELECT %s, %s 0, ? FROM :rows(s) ORDER BY %s
            ON CONFLICT (%s) DO NOTHING
            """
                .formatted(
                    table,
                    names(keyNames, ""),
                    list(valueNames, ""),
                    names(keyNames, "s."),
                    list(valueNames, "s."),
                    names(keyNames, "s."),
                    names(keyNames, "")));
    String matching = matching(keyNames);
    lock =
        keyColumns.sql(
            """
            SELECT s.n, t.seq, t.removed_at IS NULL FROM %s t JOIN :batch(s, n) ON %s
             WHERE :shard(t) ORDER BY %s FOR UPDATE OF t
            """
                .formatted(table, matching, names(keyNames, "t.")));
    String sets =
        valueNames.stream().map(name -> name + " = s." + name + ", ").collect(Collectors.joining());
    update =
        columns
            .longs("seq", Source::seq)
            .booleans("removed", Source::removed)
            .sql(
                """
                UPDATE %s t SET %s seq = s.seq, removed_at = CASE WHEN s.removed THEN ? END
                  FROM :batch(s) WHERE %s AND :shard(t)
                """
                    .formatted(table, sets, matching));
    // The outer condition is checked again when the DELETE had to wait for a row's lock: a row that
    // was restored meanwhile stays.
    sweep =
        """
        DELETE FROM %1$s WHERE home = ? AND removed_at < ? AND (%2$s) IN (
          SELECT %2$s FROM %1$s WHERE home = ? AND removed_at < ? LIMIT ?)
        """
            .formatted(table, names(keyNames, ""));
  }

  BatchSql<Source<R>> insertMissing() {
    return insertMissing;
  }

  BatchSql<Source<R>> lock() {
    return lock;
  }

  BatchSql<Source<R>> update() {
    return update;
  }

  String sweep() {
    return sweep;
  }

  private static <R> BatchColumns<Source<R>> with(
      BatchColumns<Source<R>> columns, Column<R> column) {
    Function<Source<R>, @Nullable Object> value = source -> column.value().apply(source.row());
    return switch (column.type()) {
      case "int" -> columns.ints(column.name(), source -> number(value.apply(source)).intValue());
      case "bigint" ->
          columns.longs(column.name(), source -> number(value.apply(source)).longValue());
      default -> columns.others(column.name(), column.type(), source -> text(value.apply(source)));
    };
  }

  private static Number number(@Nullable Object value) {
    return (Number) Objects.requireNonNull(value);
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  private static String names(List<String> names, String prefix) {
    return names.stream().map(name -> prefix + name).collect(Collectors.joining(", "));
  }

  private static String list(List<String> names, String prefix) {
    return names.stream().map(name -> prefix + name + ",").collect(Collectors.joining(" "));
  }

  private static String matching(List<String> keys) {
    return keys.stream()
        .map(name -> "t.%1$s = s.%1$s".formatted(name))
        .collect(Collectors.joining(" AND "));
  }
}
