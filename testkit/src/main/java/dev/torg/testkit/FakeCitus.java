package dev.torg.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/// The part of Citus that Torg uses, on a plain PostgreSQL: two functions, and the catalog of distributed
/// tables. With it a database appears distributed, and statements are restricted to one home; it does not
/// refuse what Citus would.
public final class FakeCitus {
  private static final String DEFINITION =
      """
      CREATE TABLE pg_dist_partition (logicalrelid regclass, how text);
      CREATE FUNCTION create_distributed_table(
        table_name regclass, distribution_column text, distribution_type text DEFAULT 'hash',
        colocate_with text DEFAULT 'default', shard_count int DEFAULT NULL) RETURNS void
        LANGUAGE sql
        AS $$ INSERT INTO pg_dist_partition
              VALUES (table_name, distribution_column || '/' || shard_count) $$;
      CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void
        LANGUAGE sql AS $$ INSERT INTO pg_dist_partition VALUES (table_name, 'reference') $$;
      """;

  private FakeCitus() {}

  public static void install(String url) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(DEFINITION);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
