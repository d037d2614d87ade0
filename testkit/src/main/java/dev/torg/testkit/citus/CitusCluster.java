package dev.torg.testkit.citus;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A Citus cluster, reached through a database of its coordinator in which the workers are registered. A database is
/// created on every node, with the extension, and knows the same workers.
public final class CitusCluster {
  /// Lets CREATE and DROP DATABASE reach the workers.
  public static final String PROPAGATE = "SET citus.enable_create_database_propagation = on";

  private static final String HAS_NODES = "SELECT to_regclass('pg_dist_node') IS NOT NULL";

  private static final String SELECT_NODES =
      "SELECT nodename, nodeport, groupid = 0 FROM pg_dist_node WHERE isactive ORDER BY groupid";

  private static final String CREATE_EXTENSION_ON_WORKER =
      """
      SELECT result FROM master_run_on_worker(
        ARRAY[?]::text[], ARRAY[?]::int[], ARRAY['CREATE EXTENSION IF NOT EXISTS citus'], false)
       WHERE NOT success
      """;

  private final UnaryOperator<String> urls;
  private final String url;
  private final List<Node> nodes;

  private CitusCluster(String url, UnaryOperator<String> urls, List<Node> nodes) {
    this.url = url;
    this.urls = urls;
    this.nodes = nodes;
  }

  private record Node(String host, int port, boolean isCoordinator) {}

  /// Empty if the database at this address does not know any nodes.
  ///
  /// @param urls the address of a database by its name
  public static Optional<CitusCluster> at(String url, UnaryOperator<String> urls) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      if (!isTrue(statement, HAS_NODES)) {
        return Optional.empty();
      }
      List<Node> nodes = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery(SELECT_NODES)) {
        while (rows.next()) {
          nodes.add(new Node(rows.getString(1), rows.getInt(2), rows.getBoolean(3)));
        }
      }
      return Optional.of(new CitusCluster(url, urls, nodes));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the nodes of the cluster", e);
    }
  }

  public void create(String database) {
    try {
      execute(url, PROPAGATE, "CREATE DATABASE " + database);
      String created = urls.apply(database);
      execute(created, "CREATE EXTENSION citus");
      for (Node node : nodes) {
        register(created, node);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create the database " + database, e);
    }
  }

  private static void register(String url, Node node) throws SQLException {
    if (node.isCoordinator()) {
      run(url, "SELECT citus_set_coordinator_host(?, ?)", node);
      return;
    }
    List<String> failures = run(url, CREATE_EXTENSION_ON_WORKER, node);
    if (!failures.isEmpty()) {
      throw new SQLException("no extension on " + node + ": " + failures);
    }
    run(url, "SELECT citus_add_node(?, ?)", node);
  }

  private static List<String> run(String url, String sql, Node node) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, node.host());
      statement.setInt(2, node.port());
      List<String> results = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          results.add(rows.getString(1));
        }
      }
      return results;
    }
  }

  private static void execute(String url, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static boolean isTrue(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() && rows.getBoolean(1);
    }
  }
}
