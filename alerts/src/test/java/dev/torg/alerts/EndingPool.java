package dev.torg.alerts;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.torg.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/// The database of a process that ends: after some transactions it gets no further one, as if it had
/// been killed between the two.
public final class EndingPool extends HikariDataSource {
  /// The process has ended.
  static final class Ended extends RuntimeException {}

  private final AtomicInteger remaining = new AtomicInteger(Integer.MAX_VALUE);

  public EndingPool(TestDatabase tables) {
    super(config(tables));
  }

  private static HikariConfig config(TestDatabase tables) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(tables.url());
    config.setMaximumPoolSize(8);
    config.setConnectionInitSql("SET lock_timeout = '200ms'");
    return config;
  }

  /// Allows this many further transactions and reads.
  public void endAfter(int transactions) {
    remaining.set(transactions);
  }

  public boolean hasEnded() {
    return remaining.get() < 0;
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (remaining.decrementAndGet() < 0) {
      throw new Ended();
    }
    return super.getConnection();
  }
}
