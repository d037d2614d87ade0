package dev.torg.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.citus.FakeCitus;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MigrationsIT {
  private TestDatabase database;

  @BeforeEach
  void create() {
    database = TestDatabase.plain();
  }

  @AfterEach
  void drop() {
    database.close();
  }

  @Test
  void migrate_twoModules_eachHasItsTablesAndHistory() {
    Migrations.of("first", "second").migrate(database.url());
    assertThat(tables()).contains("apple", "plum", "first_history", "second_history");
  }

  @Test
  void migrate_again_changesNothing() {
    Migrations.of("first").migrate(database.url());
    Migrations.of("first", "second").migrate(database.url());
    assertThat(tables()).contains("apple", "plum");
  }

  /// Flyway holds its lock in one session's transaction while another session migrates, which may take hours.
  @Test
  void session_thatMigrates_mayBeIdleInItsTransactionButMustBeReachable() throws SQLException {
    execute("ALTER DATABASE %s SET idle_in_transaction_session_timeout = '1s'".formatted(name()));
    try (Connection session = SessionSettings.migrating(database.url()).getConnection()) {
      assertThat(setting(session, "idle_in_transaction_session_timeout")).isEqualTo("0");
      assertThat(setting(session, "tcp_keepalives_idle")).isEqualTo("10");
      assertThat(setting(session, "tcp_user_timeout")).isEqualTo("25000");
    }
  }

  private String name() {
    return query("SELECT current_database()::text").getFirst();
  }

  private static String setting(Connection session, String name) throws SQLException {
    try (Statement statement = session.createStatement();
        ResultSet result = statement.executeQuery("SHOW " + name)) {
      assertThat(result.next()).isTrue();
      return result.getString(1);
    }
  }

  @Test
  void migrate_unknownModule_fails() {
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
  void migrate_withCitus_distributesByHomeAndKeepsOthersLocalUnlessReference() {
    FakeCitus.install(database.url());
    Migrations.of("first", "second").migrate(database.url());
    assertThat(distributed())
        .containsExactly(
            "apple home/homes",
            "homes home/32",
            "pear home/homes",
            "plum home/homes",
            "season reference");
  }

  @Test
  void migrate_withCitusAfterACutOffStart_distributesTheRemaining() throws SQLException {
    Migrations.of("first").migrate(database.url());
    FakeCitus.install(database.url());
    execute("INSERT INTO pg_dist_partition VALUES ('apple', 'earlier')");
    Migrations.of("first").migrate(database.url());
    assertThat(distributed())
        .containsExactly(
            "apple earlier", "homes home/apple", "pear home/homes", "season reference");
  }

  @Test
  void migrate_withCitusAndHomeOfAnotherType_fails() throws SQLException {
    FakeCitus.install(database.url());
    execute("CREATE TABLE odd (home bigint NOT NULL)");
    assertThatThrownBy(() -> Migrations.of("first").migrate(database.url()))
        .hasMessageContaining("odd.home must be int");
  }

  private List<String> tables() {
    return query("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'");
  }

  private List<String> distributed() {
    return query("SELECT logicalrelid || ' ' || how FROM pg_dist_partition ORDER BY 1");
  }

  private List<String> query(String sql) {
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
