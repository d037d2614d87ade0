package dev.torg.testkit.citus;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A connection whose statements are checked before they are executed, and whose transactions write one shard.
final class GuardedConnection {
  private static final String DISTRIBUTED =
      "SELECT logicalrelid::text FROM pg_dist_partition WHERE how <> 'reference'";
  private static final String HAS_CATALOG = "SELECT to_regclass('pg_dist_partition') IS NOT NULL";

  private static final Map<Set<String>, Map<String, SqlStatement>> PARSED =
      new ConcurrentHashMap<>();

  private final Connection connection;
  private @Nullable Set<String> distributed;
  private Optional<Integer> shard = Optional.empty();

  GuardedConnection(Connection connection) {
    this.connection = connection;
  }

  Connection proxy() {
    return proxy(Connection.class, this::onConnection);
  }

  private interface Handler {
    @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> handler.call(method, arguments)));
  }

  private @Nullable Object onConnection(Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object result = invoke(connection, method, arguments);
    if (result instanceof PreparedStatement prepared && arguments != null) {
      return proxy(PreparedStatement.class, new Prepared(prepared, (String) arguments[0]));
    }
    if (result instanceof Statement statement) {
      return proxy(Statement.class, (called, values) -> onStatement(statement, called, values));
    }
    if (method.getName().equals("commit") || method.getName().equals("rollback")) {
      shard = Optional.empty();
    }
    return result;
  }

  private @Nullable Object onStatement(
      Statement statement, Method method, Object @Nullable [] arguments) throws Throwable {
    if (method.getName().startsWith("execute") && arguments != null) {
      check((String) arguments[0], _ -> List.of());
    }
    return invoke(statement, method, arguments);
  }

  private final class Prepared implements Handler {
    private final PreparedStatement statement;
    private final String sql;
    private final Map<Integer, @Nullable Object> values = new HashMap<>();

    Prepared(PreparedStatement statement, String sql) {
      this.statement = statement;
      this.sql = sql;
    }

    @Override
    public @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
      String name = method.getName();
      if (name.startsWith("set") && arguments != null && arguments.length >= 2) {
        values.put((Integer) arguments[0], arguments[1]);
      } else if (name.startsWith("execute") && arguments == null) {
        check(sql, parameter -> homes(values.get(parameter)));
      }
      return invoke(statement, method, arguments);
    }
  }

  private static Collection<Integer> homes(@Nullable Object value) {
    try {
      return switch (value) {
        case null -> List.of();
        case Integer home -> List.of(home);
        case Array array -> List.of((Integer[]) array.getArray());
        default -> throw new IllegalArgumentException("no home: " + value);
      };
    } catch (SQLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private void check(String sql, CitusRules.Parameters parameters) throws SQLException {
    Set<String> tables = distributed();
    if (tables.isEmpty()) {
      return;
    }
    SqlStatement statement =
        PARSED
            .computeIfAbsent(tables, _ -> new ConcurrentHashMap<>())
            .computeIfAbsent(sql, text -> new SqlStatement(text, tables));
    Optional<Integer> written = CitusRules.check(statement, parameters);
    if (written.isEmpty() || connection.getAutoCommit()) {
      return;
    }
    if (shard.isPresent() && !shard.equals(written)) {
      throw new SQLException("a transaction changes two shards: two-phase commit: " + sql, "0A000");
    }
    shard = written;
  }

  /// Empty before the tables are distributed.
  private Set<String> distributed() throws SQLException {
    Set<String> known = distributed;
    if (known == null) {
      known = readDistributed();
      distributed = known.isEmpty() ? null : known;
    }
    return known;
  }

  private Set<String> readDistributed() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (query(statement, HAS_CATALOG).equals(List.of("f"))) {
        return Set.of();
      }
      return new HashSet<>(query(statement, DISTRIBUTED));
    }
  }

  private static List<String> query(Statement statement, String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  private static @Nullable Object invoke(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
