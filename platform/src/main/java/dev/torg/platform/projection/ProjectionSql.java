package dev.torg.platform.projection;

import java.util.List;
import java.util.stream.Collectors;

/// The statements of a projection, generated once from its columns. Each has a form for rows of one home, with
/// the home as a parameter of its own, so that a distributed table routes it to one shard.
final class ProjectionSql {
  /// A statement for any homes and for one.
  record Text(String anyHomes, String oneHome) {
    String of(boolean one) {
      return one ? oneHome : anyHomes;
    }

    boolean hasHome() {
      return !anyHomes.equals(oneHome);
    }
  }

  private final Text insertMissing;
  private final Text lock;
  private final Text update;
  private final String sweep;

  <S> ProjectionSql(
      String table,
      List<Projection.Column<S>> keys,
      List<String> values,
      List<Projection.Column<S>> all) {
    String keyNames = names(keys, "");
    String matching = matching(keys);
    String insert =
        """
        INSERT INTO %s (%s, %s seq, removed_at)
        SELECT %s, %s 0, ? FROM %s ORDER BY %s
        ON CONFLICT (%s) DO NOTHING
        """
            .formatted(
                table,
                keyNames,
                list(values, ""),
                names(keys, "s."),
                list(values, "s."),
                unnestedSource(all, ""),
                names(keys, "s."),
                keyNames);
    insertMissing = new Text(insert, insert);
    String locking =
        "SELECT s.n, t.seq, t.removed_at IS NULL FROM %s t JOIN %s ON %s%%s ORDER BY %s FOR UPDATE OF t"
            .formatted(
                table, unnestedSource(keys, " WITH ORDINALITY"), matching, names(keys, "t."));
    lock = forms(locking);
    String sets =
        values.stream().map(name -> name + " = s." + name + ", ").collect(Collectors.joining());
    update =
        forms(
            "UPDATE %s t SET %s seq = s.seq, removed_at = CASE WHEN s.removed THEN ? END FROM %s WHERE %s%%s"
                .formatted(table, sets, unnestedSource(all, ""), matching));
    // The outer condition is checked again when the DELETE had to wait for a row's lock: a row that
    // was revived meanwhile stays.
    sweep =
        """
        DELETE FROM %1$s WHERE home = ? AND removed_at < ? AND (%2$s) IN (
          SELECT %2$s FROM %1$s WHERE home = ? AND removed_at < ? LIMIT ?)
        """
            .formatted(table, keyNames);
  }

  Text insertMissing() {
    return insertMissing;
  }

  String lock(boolean oneHome) {
    return lock.of(oneHome);
  }

  Text update() {
    return update;
  }

  String sweep() {
    return sweep;
  }

  private static Text forms(String template) {
    return new Text(template.formatted(""), template.formatted(" AND t.home = ?"));
  }

  private static <S> String unnestedSource(List<Projection.Column<S>> columns, String ordinality) {
    String arrays =
        columns.stream().map(c -> "?::" + c.type() + "[]").collect(Collectors.joining(", "));
    String number = ordinality.isEmpty() ? "" : ", n";
    return "unnest(%s)%s AS s (%s%s)".formatted(arrays, ordinality, names(columns, ""), number);
  }

  private static <S> String names(List<Projection.Column<S>> columns, String prefix) {
    return columns.stream().map(c -> prefix + c.name()).collect(Collectors.joining(", "));
  }

  private static String list(List<String> names, String prefix) {
    return names.stream().map(name -> prefix + name + ",").collect(Collectors.joining(" "));
  }

  private static <S> String matching(List<Projection.Column<S>> keys) {
    return keys.stream()
        .map(c -> "t.%1$s = s.%1$s".formatted(c.name()))
        .collect(Collectors.joining(" AND "));
  }
}
