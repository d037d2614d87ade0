package dev.torg.platform.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A statement about a batch of items, in a form for plain PostgreSQL and one for distributed tables. Every store
/// reads, locks, inserts, updates and deletes rows by key in this way:
///
///     private static final BatchColumns<OfferId> IDS =
///         BatchColumns.of(OfferId::home).longs("id", OfferId::number);
///
///     private static final BatchSql<OfferId> LOCK =
///         IDS.sql("""
///             SELECT o.id, o.seq FROM :batch(k) JOIN offer o ON o.home = k.home AND o.id = k.id
///              WHERE :shard(o) ORDER BY o.home, o.id FOR UPDATE OF o
///             """);
///
///     tx.sql(LOCK, ids).list(…)
///
/// - `:batch(k)` is the batch as a table `k` with the batch's columns, for statements that join it with a table.
///   `:batch(k, n)` adds the number of the item, from 1, as column `n`.
/// - `:shard(o)` restricts the joined table `o` to the homes of the batch. Every joined table needs it. Alone, without
///   `:batch`, it restricts a statement on plain PostgreSQL to nothing.
/// - `:rows(k)` is the batch as the source of an `INSERT … SELECT`.
/// - `?` is a parameter of the statement, set after the batch was given, in order.
///
/// A statement about an empty batch is not executed: it changes and returns nothing.
///
/// **On plain PostgreSQL** `:shard(o)` is `TRUE`: for a table that has grown since it was last analyzed, a constant home
/// makes the planner expect a row or two, so that it compares every row of the home with every item.
///
/// **On distributed tables** the condition on `home` routes the statement to one shard, where it may lock rows; the items
/// of a batch that locks or writes are of one shard. The rows of an INSERT are joined with the distributed table `homes`:
/// the shard then executes the whole statement. From a bare `unnest` the coordinator would copy the rows to the shard,
/// which takes a two-phase commit and reports a wrong number of rows.
public final class BatchSql<T> {
  private static final Pattern MARKER =
      Pattern.compile("\\?|(?<!:):(batch|rows|shard)\\((\\w+)(?:, (\\w+))?\\)");

  private final BatchColumns<T> columns;
  private final Form<T> plain;
  private final Form<T> distributed;

  BatchSql(BatchColumns<T> columns, String text) {
    this.columns = columns;
    this.plain = new FormBuilder<>(columns, false).build(text);
    this.distributed = new FormBuilder<>(columns, true).build(text);
  }

  Sql prepare(Connection connection, boolean isDistributed, List<T> items) throws SQLException {
    Form<T> form = isDistributed ? distributed : plain;
    Sql sql = new Sql(connection.prepareStatement(form.text), form.positions, items.isEmpty());
    for (Source source : form.sources) {
      switch (source) {
        case COLUMNS -> columns.bind(sql, items);
        case HOMES -> columns.bindHomes(sql, items);
      }
    }
    return sql;
  }

  String text(boolean isDistributed) {
    return isDistributed ? distributed.text : plain.text;
  }

  /// What the parameters of a marker are bound to.
  private enum Source {
    COLUMNS,
    HOMES
  }

  /// @param positions the parameters in the order in which they are set: those of the markers, then the others
  private record Form<T>(String text, int[] positions, List<Source> sources) {}

  private static final class FormBuilder<T> {
    private final BatchColumns<T> columns;
    private final boolean distributed;
    private final List<Source> sources = new ArrayList<>();
    private final List<Integer> bound = new ArrayList<>();
    private final List<Integer> others = new ArrayList<>();
    private int parameters;
    private boolean isMarked;

    FormBuilder(BatchColumns<T> columns, boolean distributed) {
      this.columns = columns;
      this.distributed = distributed;
    }

    Form<T> build(String text) {
      String replaced =
          MARKER.matcher(text).replaceAll(match -> Matcher.quoteReplacement(replace(match)));
      if (!isMarked) {
        throw new IllegalArgumentException("no :batch(…), :rows(…) or :shard(…) in " + text);
      }
      int[] positions =
          Stream.concat(bound.stream(), others.stream()).mapToInt(Integer::intValue).toArray();
      return new Form<>(replaced, positions, List.copyOf(sources));
    }

    private String replace(MatchResult match) {
      if (match.group(1) == null) {
        others.add(++parameters);
        return "?";
      }
      isMarked = true;
      String alias = match.group(2);
      return switch (match.group(1)) {
        case "batch" -> batch(alias, match.group(3));
        case "rows" -> distributed ? rowsOfShard(alias) : batch(alias, null);
        default -> distributed ? homes(alias) : "TRUE";
      };
    }

    private String batch(String alias, @Nullable String number) {
      String unnested = columns();
      return number == null
          ? "%s AS %s (%s)".formatted(unnested, alias, columns.names(""))
          : "%s WITH ORDINALITY AS %s (%s, %s)"
              .formatted(unnested, alias, columns.names(""), number);
    }

    private String rowsOfShard(String alias) {
      String selected = columns.names("u.").replaceFirst("u\\.home", "h.home");
      String unnested = columns();
      return "(SELECT %s FROM homes h JOIN %s AS u (%s) ON u.home = h.home WHERE %s) AS %s"
          .formatted(selected, unnested, columns.names(""), homes("h"), alias);
    }

    private String columns() {
      source(Source.COLUMNS, columns.count());
      return columns.unnested();
    }

    private String homes(String alias) {
      source(Source.HOMES, 1);
      return alias + ".home = ANY (?::int[])";
    }

    private void source(Source source, int count) {
      sources.add(source);
      IntStream.range(0, count).forEach(_ -> bound.add(++parameters));
    }
  }
}
