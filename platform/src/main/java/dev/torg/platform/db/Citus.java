package dev.torg.platform.db;

import dev.torg.platform.Home;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Distributes tables where the database has the `citus` extension, by one convention: a table with
/// a column `home` is distributed by it over 32 shards, co-located with the table `homes`. Of the others, one whose
/// comment begins with `reference` is copied to every node, and the others stay on the coordinator. Partitions follow
/// their parent.
///
/// It searches for tables that are not distributed yet, so that a migration that was interrupted between
/// creating and distributing its tables is completed by the next start.
final class Citus {
  private static final Logger LOG = LoggerFactory.getLogger(Citus.class);
  private static final int SHARDS = 32;

  private static final String IS_PRESENT =
      "SELECT to_regproc('create_distributed_table') IS NOT NULL";

  private static final String UNDISTRIBUTED =
      """
      SELECT c.oid::regclass::text, format_type(a.atttypid, NULL)
        FROM pg_class c
        LEFT JOIN pg_attribute a
               ON a.attrelid = c.oid AND a.attname = 'home' AND NOT a.attisdropped
       WHERE c.relnamespace = current_schema()::regnamespace
         AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND (a.attname IS NOT NULL OR obj_description(c.oid, 'pg_class') LIKE 'reference%')
         AND NOT EXISTS (SELECT FROM pg_dist_partition d WHERE d.logicalrelid = c.oid)
       ORDER BY c.relname
      """;

  /// A table that is distributed already decides the shards: their number may have changed since.
  private static final String DISTRIBUTE_HOMES =
      "SELECT create_distributed_table('homes', 'home', shard_count := " + SHARDS + ")";

  private static final String DISTRIBUTE_HOMES_WITH =
      "SELECT create_distributed_table('homes', 'home', colocate_with := ?)";

  private static final String DISTRIBUTE =
      "SELECT create_distributed_table(?::regclass, 'home', colocate_with := 'homes')";

  /// A shard that is analyzed while it is nearly empty has one row per home: the planner would then read all rows of the
  /// homes of a batch instead of looking up each item. Citus refuses the change once the table is distributed.
  private static final String NO_STATISTICS = "ALTER TABLE %s ALTER COLUMN home SET STATISTICS 0";

  private static final String REFERENCE = "SELECT create_reference_table(?::regclass)";

  private static final String DISTRIBUTED =
      """
      SELECT d.logicalrelid::text FROM pg_dist_partition d
        JOIN pg_attribute a ON a.attrelid = d.logicalrelid AND a.attname = 'home'
        JOIN pg_class c ON c.oid = d.logicalrelid AND NOT c.relispartition
       WHERE c.relnamespace = current_schema()::regnamespace
       ORDER BY (c.relname = 'homes') DESC, c.relname LIMIT 1
      """;

  /// Each home once, in its shard: the rows of an INSERT are joined with it ([BatchSql]).
  private static final String FILL_HOMES =
      "INSERT INTO homes SELECT generate_series(0, %d)".formatted(Home.COUNT - 1);

  /// Of several processes that start concurrently, one distributes the tables. An arbitrary number.
  private static final String LOCK = "SELECT pg_advisory_xact_lock(7238114900126)";

  private Citus() {}

  static boolean isPresent(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(IS_PRESENT)) {
      return rows.next() && rows.getBoolean(1);
    }
  }

  /// Distributes the remaining tables in one transaction.
  static void distribute(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    NodeSettings.lift(connection);
    execute(connection, LOCK);
    Optional<String> distributed = firstText(connection, DISTRIBUTED);
    if (!distributed.equals(Optional.of("homes"))) {
      createHomes(connection, distributed);
    }
    for (Table table : undistributed(connection)) {
      distribute(connection, table);
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  private static void createHomes(Connection connection, Optional<String> distributed)
      throws SQLException {
    execute(connection, "CREATE TABLE homes (home int PRIMARY KEY)");
    if (distributed.isEmpty()) {
      execute(connection, DISTRIBUTE_HOMES);
    } else {
      try (PreparedStatement statement = connection.prepareStatement(DISTRIBUTE_HOMES_WITH)) {
        statement.setString(1, distributed.get());
        statement.execute();
      }
    }
    execute(connection, FILL_HOMES);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Optional<String> firstText(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
    }
  }

  private static void distribute(Connection connection, Table table) throws SQLException {
    if (table.isHomed() && !table.homeType().equals("integer")) {
      throw new IllegalStateException(
          table.name() + ".home must be int: tables of different types cannot be co-located");
    }
    LOG.info("distributing {}", table.name());
    if (table.isHomed()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(NO_STATISTICS.formatted(table.name()));
      }
    }
    try (PreparedStatement statement =
        connection.prepareStatement(table.isHomed() ? DISTRIBUTE : REFERENCE)) {
      statement.setString(1, table.name());
      statement.execute();
    }
  }

  private static List<Table> undistributed(Connection connection) throws SQLException {
    List<Table> tables = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(UNDISTRIBUTED)) {
      while (rows.next()) {
        String homeType = rows.getString(2);
        tables.add(new Table(rows.getString(1), homeType == null ? "" : homeType));
      }
    }
    return tables;
  }

  /// A table and the type of its `home`, empty where it has none.
  private record Table(String name, String homeType) {
    boolean isHomed() {
      return !homeType.isEmpty();
    }
  }
}
