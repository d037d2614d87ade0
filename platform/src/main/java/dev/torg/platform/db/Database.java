package dev.torg.platform.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.torg.platform.Failure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/// The pool of connections to one PostgreSQL, and transactions as a lambda.
///
/// A serialization failure, deadlock or lock timeout before COMMIT runs the work again, a bounded
// number of times.
/// A failure of COMMIT itself is never retried: nobody knows whether it happened ([CommitUnknown]).
public final class Database implements AutoCloseable {
  /// Enough to outlive a burst of deadlocks, few enough to fail within a second.
  private static final int ATTEMPTS = 5;

  private final HikariDataSource pool;

  public Database(HikariDataSource pool) {
    this.pool = pool;
  }

  public static Database connect(String url, String user, String password, int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(connections);
    config.setAutoCommit(true);
    config.setPoolName("torg");
    config.setConnectionInitSql("SET lock_timeout = '200ms'");
    config.addDataSourceProperty("prepareThreshold", "1");
    config.addDataSourceProperty("reWriteBatchedInserts", "true");
    return new Database(new HikariDataSource(config));
  }

  public DataSource dataSource() {
    return pool;
  }

  /// Runs the work in one READ COMMITTED transaction and commits it.
  public <T> T inTransaction(Work<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return attempt(work);
      } catch (SQLException e) {
        if (attempt == ATTEMPTS || !isRetryable(e)) {
          throw Failure.unavailable("database.failed", "the database did not take the change", e);
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L << attempt));
      }
    }
  }

  /// Runs statements each on their own, without a transaction around them: for single reads.
  public <T> T read(Work<T> work) {
    try (Connection connection = pool.getConnection()) {
      return work.run(new Tx(connection));
    } catch (SQLException e) {
      throw Failure.unavailable("database.failed", "the database did not answer", e);
    }
  }

  private <T> T attempt(Work<T> work) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      Tx tx = new Tx(connection);
      T result;
      try {
        result = work.run(tx);
      } catch (SQLException | RuntimeException | Error e) {
        rollBack(connection, e);
        throw e;
      }
      commit(connection);
      tx.committed();
      return result;
    }
  }

  private static void commit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw new CommitUnknown(e);
    }
  }

  private static void rollBack(Connection connection, Throwable cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  /// Serialization failure, deadlock, lock not available.
  private static boolean isRetryable(SQLException e) {
    String state = e.getSQLState();
    return "40001".equals(state) || "40P01".equals(state) || "55P03".equals(state);
  }

  @Override
  public void close() {
    pool.close();
  }
}
