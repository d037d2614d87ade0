package dev.torg.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MigrationsIT {
  /// What our code sees of Citus: two functions, and the catalog of what is distributed.
  private static final String CITUS_SURFACE =
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

  private TestDatabase database;

  @BeforeEach
  void create() {
    database = TestDatabase.empty();
  }

  @AfterEach
  void drop() {
    database.close();
  }

  @Test
  void migrate_twoRooms_eachHasItsTablesAndHistory() {
    Migrations.of("first", "second").migrate(database.url());
    assertThat(tables()).contains("apple", "plum", "first_history", "second_history");
  }

  @Test
  void migrate_again_changesNothing() {
    Migrations.of("first").migrate(database.url());
    Migrations.of("first", "second").migrate(database.url());
    assertThat(tables()).contains("apple", "plum");
  }

  @Test
  void migrate_unknownRoom_fails() {
    assertThatThrownBy(() -> Migrations.of("nowhere").migrate(database.url()))
        .hasMessageContaining("nowhere");
  }

  @Test
  void isDistributed_plainDatabase_isFalse() {
    try (Database plain = Database.connect(database.url(), 1)) {
      assertThat(plain.isDistributed()).isFalse();
    }
  }

  @Test
  void migrate_withCitus_distributesByHomeAndLeavesTheRestUnlessReference() throws SQLException {
    execute(CITUS_SURFACE);
    Migrations.of("first", "second").migrate(database.url());
    assertThat(distributed())
        .containsExactly("apple home/32", "pear home/32", "plum home/32", "season reference");
  }

  @Test
  void migrate_withCitusAfterACutOffStart_distributesWhatIsLeft() throws SQLException {
    Migrations.of("first").migrate(database.url());
    execute(CITUS_SURFACE);
    execute("INSERT INTO pg_dist_partition VALUES ('apple', 'earlier')");
    Migrations.of("first").migrate(database.url());
    assertThat(distributed()).containsExactly("apple earlier", "pear home/32", "season reference");
  }

  @Test
  void migrate_withCitusAndHomeOfAnotherType_fails() throws SQLException {
    execute(CITUS_SURFACE);
    execute("CREATE TABLE odd (home bigint NOT NULL)");
    assertThatThrownBy(() -> Migrations.of("first").migrate(database.url()))
        .hasMessageContaining("odd.home must be int");
  }

  private List<String> tables() {
    return ask("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'");
  }

  private List<String> distributed() {
    return ask("SELECT logicalrelid || ' ' || how FROM pg_dist_partition ORDER BY 1");
  }

  private List<String> ask(String sql) {
    try (Database opened = Database.connect(database.url(), 1)) {
      return opened.read(tx -> tx.sql(sql).list(row -> row.textAt(1)));
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database.url());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
