package dev.torg.platform.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The timeouts of sessions on the nodes of a Citus cluster. The settings of a session of the pool do not reach the
/// sessions that the coordinator opens on the workers, where rows are locked. So they are set for Torg's role in its
/// database, which the coordinator applies to every node; nodes that are added later receive them, too.
///
/// Migrations lift them in each of their transactions ([#lift]).
final class NodeSettings {
  private static final Logger LOG = LoggerFactory.getLogger(NodeSettings.class);

  /// As long as a session of the pool waits for a response: no statement of Torg takes longer.
  private static final Duration STATEMENT_TIMEOUT = Database.RESPONSE_TIMEOUT;

  /// In milliseconds.
  private static final Map<String, Long> SETTINGS =
      new TreeMap<>(
          Map.of(
              "lock_timeout", SessionSettings.LOCK_TIMEOUT.toMillis(),
              "idle_in_transaction_session_timeout",
                  SessionSettings.IDLE_IN_TRANSACTION_TIMEOUT.toMillis(),
              "statement_timeout", STATEMENT_TIMEOUT.toMillis()));

  private static final String READ =
      """
      SELECT n.nodename || ':' || n.nodeport, r.success, r.result
        FROM run_command_on_all_nodes(?) r JOIN pg_dist_node n ON n.nodeid = r.nodeid
       ORDER BY n.groupid
      """;

  private static final String READ_ON_NODE = "SELECT setting FROM pg_settings WHERE name = '%s'";

  /// Several processes may set the same, of which only one succeeds at a time.
  private static final int MAX_ATTEMPTS = 3;

  /// A SET LOCAL that follows it in the same transaction reaches the sessions on the nodes, too.
  static final String PROPAGATE = "SET LOCAL citus.propagate_set_commands = 'local'";

  private static final String LIFT =
      PROPAGATE
          + SETTINGS.keySet().stream()
              .map("; SET LOCAL %s = 0"::formatted)
              .collect(Collectors.joining());

  private NodeSettings() {}

  /// Removes the timeouts for the transaction in progress.
  static void lift(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(LIFT);
    }
  }

  /// A node whose sessions of this role have another value.
  private record Deviation(String node, String setting, String value) {}

  /// Sets what is missing, and fails if a node still has another value: without the timeouts a locked row blocks its
  /// whole shard. A node that cannot be reached is checked by the next process that starts.
  static void ensure(Connection connection) throws SQLException {
    List<Deviation> deviations = deviations(connection);
    for (int attempt = 1; !deviations.isEmpty(); attempt++) {
      if (attempt > MAX_ATTEMPTS) {
        throw new IllegalStateException(message(connection, deviations.getFirst()));
      }
      for (String setting : deviations.stream().map(Deviation::setting).distinct().toList()) {
        set(connection, setting);
      }
      deviations = deviations(connection);
    }
  }

  private static void set(Connection connection, String setting) throws SQLException {
    String statement = statement(connection, setting);
    try (Statement alter = connection.createStatement()) {
      alter.execute(statement);
    } catch (SQLException e) {
      LOG.warn("cannot set {} on all nodes: {}", setting, e.getMessage());
    }
  }

  private static String message(Connection connection, Deviation deviation) throws SQLException {
    return "%s is %s instead of %d ms on node %s: an administrator must run on the coordinator: %s"
        .formatted(
            deviation.setting(),
            deviation.value(),
            SETTINGS.get(deviation.setting()),
            deviation.node(),
            statement(connection, deviation.setting()));
  }

  private static String statement(Connection connection, String setting) throws SQLException {
    try (Statement query = connection.createStatement();
        ResultSet row =
            query.executeQuery(
                "SELECT quote_ident(current_user), quote_ident(current_database())")) {
      row.next();
      return "ALTER ROLE %s IN DATABASE %s SET %s = %d"
          .formatted(row.getString(1), row.getString(2), setting, SETTINGS.get(setting));
    }
  }

  private static List<Deviation> deviations(Connection connection) throws SQLException {
    List<Deviation> deviations = new ArrayList<>();
    for (Map.Entry<String, Long> setting : SETTINGS.entrySet()) {
      for (Map.Entry<String, String> node : values(connection, setting.getKey()).entrySet()) {
        if (!node.getValue().equals(setting.getValue().toString())) {
          deviations.add(new Deviation(node.getKey(), setting.getKey(), node.getValue()));
        }
      }
    }
    return deviations;
  }

  /// By node that can be reached.
  private static Map<String, String> values(Connection connection, String setting)
      throws SQLException {
    Map<String, String> values = new TreeMap<>();
    try (PreparedStatement statement = connection.prepareStatement(READ)) {
      statement.setString(1, READ_ON_NODE.formatted(setting));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          if (rows.getBoolean(2)) {
            values.put(rows.getString(1), rows.getString(3));
          } else {
            LOG.warn("cannot read {} on {}: {}", setting, rows.getString(1), rows.getString(3));
          }
        }
      }
    }
    return values;
  }
}
