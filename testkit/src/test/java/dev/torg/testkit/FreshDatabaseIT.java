package dev.torg.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FreshDatabaseIT {
  @Test
  void fresh_twice_migratesOnceAndSharesNothing() throws SQLException {
    AtomicInteger migrations = new AtomicInteger();
    try (TestDatabase first = fresh(migrations);
        TestDatabase second = fresh(migrations)) {
      execute(first.url(), "INSERT INTO thing VALUES (1)");
      assertThat(count(first.url())).isEqualTo(1);
      assertThat(count(second.url())).isZero();
      assertThat(migrations).hasValue(TestPostgres.shared().hasCitus() ? 2 : 1);
    }
  }

  private static TestDatabase fresh(AtomicInteger migrations) {
    return TestDatabase.fresh(
        "testkit",
        url -> {
          migrations.incrementAndGet();
          execute(url, "CREATE TABLE thing (id int)");
        });
  }

  private static int count(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM thing")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static void execute(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
