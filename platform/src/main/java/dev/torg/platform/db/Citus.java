package dev.torg.platform.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Distributes tables where the database has the `citus` extension, by one convention: a table with
/// a column `home` is distributed by it over 32 co-located shards. Of the others, one whose comment
/// begins with `reference` is copied to every node, and the others stay on the coordinator. Partitions follow
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

  private static final String DISTRIBUTE =
      "SELECT create_distributed_table(?::regclass, 'home', shard_count := " + SHARDS + ")";

  private static final String REFERENCE = "SELECT create_reference_table(?::regclass)";

  private Citus() {}

  static boolean isPresent(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(IS_PRESENT)) {
      return rows.next() && rows.getBoolean(1);
    }
  }

  /// Distributes the remaining tables in one transaction. The history table is locked meanwhile: of several
  /// processes that start concurrently, one does it.
  static void distribute(Connection connection, String historyTable) throws SQLException {
    if (!isPresent(connection)) {
      return;
    }
    connection.setAutoCommit(false);
    try (Statement lock = connection.createStatement()) {
      lock.execute("LOCK TABLE " + historyTable + " IN SHARE ROW EXCLUSIVE MODE");
    }
    for (Table table : undistributed(connection)) {
      distribute(connection, table);
    }
    connection.commit();
  }

  private static void distribute(Connection connection, Table table) throws SQLException {
    if (table.isHomed() && !table.homeType().equals("integer")) {
      throw new IllegalStateException(
          table.name() + ".home must be int: tables of different types cannot be co-located");
    }
    LOG.info("distributing {}", table.name());
    try (PreparedStatement statement =
        connection.prepareStatement(table.isHomed() ? DISTRIBUTE : REFERENCE)) {
      statement.setString(1, table.name());
      statement.execute();
    }
  }

  private static List<Table> undistributed(Connection connection) throws SQLException {
    List<Table> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(UNDISTRIBUTED)) {
      while (rows.next()) {
        String homeType = rows.getString(2);
        found.add(new Table(rows.getString(1), homeType == null ? "" : homeType));
      }
    }
    return found;
  }

  /// A table and the type of its `home`, empty where it has none.
  private record Table(String name, String homeType) {
    boolean isHomed() {
      return !homeType.isEmpty();
    }
  }
}
