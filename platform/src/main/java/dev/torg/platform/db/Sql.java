package dev.torg.platform.db;

import dev.torg.platform.Home;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/// One statement: its parameters in the order of their question marks, then one call that runs it
/// and closes it.
///
/// A column of a batch is an array for `unnest`: either given, or taken from the items by a
/// function. Numbers, times, booleans and bytes go to the server in binary form.
public final class Sql {
  private final PreparedStatement statement;

  /// The position of each parameter in the order in which they are set; null: one after the other.
  private final int @Nullable [] positions;

  private final boolean isEmptyBatch;
  private int parameters;

  Sql(PreparedStatement statement) {
    this.statement = statement;
    this.positions = null;
    this.isEmptyBatch = false;
  }

  /// @param isEmptyBatch the statement is not executed
  Sql(PreparedStatement statement, int[] positions, boolean isEmptyBatch) {
    this.statement = statement;
    this.positions = positions;
    this.isEmptyBatch = isEmptyBatch;
  }

  /// Maps a row to a value.
  @FunctionalInterface
  public interface RowMapper<T> {
    T map(Row row) throws SQLException;
  }

  /// Visits a row.
  @FunctionalInterface
  public interface RowVisitor {
    void visit(Row row) throws SQLException;
  }

  public Sql set(int value) throws SQLException {
    statement.setInt(next(), value);
    return this;
  }

  public Sql set(long value) throws SQLException {
    statement.setLong(next(), value);
    return this;
  }

  public Sql set(boolean value) throws SQLException {
    statement.setBoolean(next(), value);
    return this;
  }

  public Sql set(Home home) throws SQLException {
    return set(home.number());
  }

  public Sql set(@Nullable String value) throws SQLException {
    statement.setString(next(), value);
    return this;
  }

  public Sql set(byte @Nullable [] value) throws SQLException {
    statement.setBytes(next(), value);
    return this;
  }

  public Sql set(@Nullable Instant value) throws SQLException {
    if (value == null) {
      statement.setNull(next(), Types.TIMESTAMP_WITH_TIMEZONE);
    } else {
      statement.setObject(next(), OffsetDateTime.ofInstant(value, ZoneOffset.UTC));
    }
    return this;
  }

  public Sql ints(int[] values) throws SQLException {
    return array("int4", values);
  }

  public Sql longs(long[] values) throws SQLException {
    return array("int8", values);
  }

  public Sql booleans(boolean[] values) throws SQLException {
    return array("bool", values);
  }

  public Sql texts(@Nullable String[] values) throws SQLException {
    return array("text", values);
  }

  public Sql bytes(byte[] @Nullable [] values) throws SQLException {
    return array("bytea", values);
  }

  public Sql instants(@Nullable Instant[] values) throws SQLException {
    statement.setObject(next(), new InstantArray(values));
    return this;
  }

  public <T> Sql homes(List<T> items, Function<? super T, Home> home) throws SQLException {
    return ints(items, item -> home.apply(item).number());
  }

  public <T> Sql ints(List<T> items, ToIntFunction<? super T> value) throws SQLException {
    int[] values = new int[items.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.applyAsInt(items.get(i));
    }
    return ints(values);
  }

  public <T> Sql longs(List<T> items, ToLongFunction<? super T> value) throws SQLException {
    long[] values = new long[items.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.applyAsLong(items.get(i));
    }
    return longs(values);
  }

  public <T> Sql booleans(List<T> items, Function<? super T, Boolean> value) throws SQLException {
    boolean[] values = new boolean[items.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(items.get(i));
    }
    return booleans(values);
  }

  public <T> Sql texts(List<T> items, Function<? super T, @Nullable String> value)
      throws SQLException {
    String[] values = new String[items.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(items.get(i));
    }
    return texts(values);
  }

  public <T> Sql bytes(List<T> items, Function<? super T, byte @Nullable []> value)
      throws SQLException {
    byte[][] values = new byte[items.size()][];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(items.get(i));
    }
    return bytes(values);
  }

  public <T> Sql instants(List<T> items, Function<? super T, @Nullable Instant> value)
      throws SQLException {
    Instant[] values = new Instant[items.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(items.get(i));
    }
    return instants(values);
  }

  /// Visits a row and returns whether to continue.
  @FunctionalInterface
  public interface RowTest {
    boolean shouldContinue(Row row) throws SQLException;
  }

  /// Runs a change and returns the number of affected rows.
  public int update() throws SQLException {
    if (isSkipped()) {
      return 0;
    }
    try (statement) {
      return statement.executeUpdate();
    }
  }

  public <T> List<T> list(RowMapper<T> mapper) throws SQLException {
    List<T> rows = new ArrayList<>();
    each(row -> rows.add(mapper.map(row)));
    return rows;
  }

  public <T> Optional<T> first(RowMapper<T> mapper) throws SQLException {
    if (isSkipped()) {
      return Optional.empty();
    }
    try (statement;
        ResultSet rows = query()) {
      return rows.next() ? Optional.of(mapper.map(new Row(rows))) : Optional.empty();
    }
  }

  public void each(RowVisitor visitor) throws SQLException {
    if (isSkipped()) {
      return;
    }
    try (statement;
        ResultSet rows = query()) {
      Row row = new Row(rows);
      while (rows.next()) {
        visitor.visit(row);
      }
    }
  }

  /// Fetches rows in pages of the given size instead of all at once; inside a transaction only. Returns whether
  /// the test accepted all of them.
  public boolean eachWhile(int fetchSize, RowTest test) throws SQLException {
    if (isSkipped()) {
      return true;
    }
    statement.setFetchSize(fetchSize);
    try (statement;
        ResultSet rows = query()) {
      Row row = new Row(rows);
      while (rows.next()) {
        if (!test.shouldContinue(row)) {
          return false;
        }
      }
      return true;
    }
  }

  /// Whether the batch is empty; then the statement is closed.
  private boolean isSkipped() throws SQLException {
    if (isEmptyBatch) {
      statement.close();
    }
    return isEmptyBatch;
  }

  private int next() {
    int parameter = parameters++;
    return positions == null ? parameter + 1 : positions[parameter];
  }

  private ResultSet query() throws SQLException {
    return statement.executeQuery();
  }

  private Sql array(String type, Object values) throws SQLException {
    statement.setArray(
        next(), statement.getConnection().unwrap(PGConnection.class).createArrayOf(type, values));
    return this;
  }
}
