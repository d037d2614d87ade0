package dev.torg.testkit.citus;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/// Citus on a plain PostgreSQL, as far as Torg uses it: the functions that distribute tables and show their shards, and the
/// catalogs of distributed tables and of nodes, of which there are none. Connections to a [guarded][#guarded] address also refuse what Citus refuses
/// ([CitusRules]).
public final class FakeCitus {
  private static final int SHARDS = 32;
  private static final int FIRST_SHARD_ID = 102_008;

  /// Homes that follow each other are of different shards.
  private static final String DEFINITION =
      """
      CREATE TABLE pg_dist_partition (logicalrelid regclass, how text);
      CREATE FUNCTION create_distributed_table(
        table_name regclass, distribution_column text, distribution_type text DEFAULT 'hash',
        colocate_with text DEFAULT 'default', shard_count int DEFAULT NULL) RETURNS void
        LANGUAGE sql
        AS $$ INSERT INTO pg_dist_partition
              VALUES (table_name,
                distribution_column || '/' || coalesce(shard_count::text, colocate_with)) $$;
      CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void
        LANGUAGE sql AS $$ INSERT INTO pg_dist_partition VALUES (table_name, 'reference') $$;
      CREATE TABLE pg_dist_node (nodeid int, groupid int, nodename text, nodeport int);
      CREATE FUNCTION run_command_on_all_nodes(
        command text, OUT nodeid int, OUT success boolean, OUT result text) RETURNS SETOF record
        LANGUAGE sql AS $$ SELECT NULL::int, NULL::boolean, NULL::text WHERE false $$;
      CREATE FUNCTION get_shard_id_for_distribution_column(table_name regclass, home int)
        RETURNS bigint LANGUAGE sql AS $$ SELECT %d + (home * 13 + 5) %% %d $$;
      """
          .formatted(FIRST_SHARD_ID, SHARDS);

  /// Marks an address whose connections are guarded. PostgreSQL's driver ignores it.
  private static final String MARK = "fakeCitus=true";

  private FakeCitus() {}

  /// Whether `TORG_TEST_FAKE_CITUS` is set: all tests of this JVM then run on it.
  public static boolean isEnabled() {
    return Boolean.parseBoolean(System.getenv("TORG_TEST_FAKE_CITUS"));
  }

  public static void install(String url) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(DEFINITION);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The address of the same database whose connections refuse what Citus refuses.
  public static String guarded(String url) {
    GuardedDriver.register();
    return url.contains(MARK) ? url : url + (url.contains("?") ? "&" : "?") + MARK;
  }

  static boolean isGuarded(String url) {
    return url.contains(MARK);
  }

  static int shard(int home) {
    return FIRST_SHARD_ID + (home * 13 + 5) % SHARDS;
  }
}
