package dev.torg.platform.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.torg.platform.Failure;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The pool of connections to one PostgreSQL, and transactions as a lambda.
///
/// What failed before COMMIT for a passing reason (a deadlock, a serialization failure, a lock not
/// had within 200 ms, a lost connection) runs again, a bounded number of times. A COMMIT whose
/// answer was lost is never retried: nobody knows whether it happened ([CommitUnknown]).
public final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  /// Enough to outlive a burst of deadlocks, few enough to fail within a second or two.
  private static final int ATTEMPTS = 5;

  private static final Duration CONNECTION_WAIT = Duration.ofSeconds(5);

  /// Connections that are there before anybody asks; more come with the need and stay ten minutes.
  private static final int MIN_IDLE_CONNECTIONS = 8;

  /// Longer than any statement of ours; a server that is gone without a word is noticed by it.
  private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(60);

  private final HikariDataSource pool;

  /// Unknown until somebody has asked: tables are distributed once, before they are used.
  private volatile @Nullable Boolean distributed;

  public Database(HikariDataSource pool) {
    this.pool = pool;
  }

  /// The address says who connects: `jdbc:postgresql://host:port/name?user=…&password=…`.
  public static Database connect(String url, int connections) {
    requireReachable(url);
    return new Database(new HikariDataSource(config(url, connections)));
  }

  /// Fails with one sentence when nobody answers at the address; the pool would say it with a stack
  /// trace in the log.
  public static void requireReachable(String url) {
    try (Connection probe = DriverManager.getConnection(url)) {
      LOG.debug("connected as {}", probe.getMetaData().getUserName());
    } catch (SQLException e) {
      throw Failure.unavailable(
          "database.unreachable", "cannot connect to the database: " + e.getMessage(), e);
    }
  }

  public static Database connect(String url, String user, String password, int connections) {
    HikariConfig config = config(url, connections);
    config.setUsername(user);
    config.setPassword(password);
    return new Database(new HikariDataSource(config));
  }

  private static HikariConfig config(String url, int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(Math.min(connections, MIN_IDLE_CONNECTIONS));
    config.setConnectionTimeout(CONNECTION_WAIT.toMillis());
    config.setPoolName("torg");
    config.setConnectionInitSql(SessionSettings.pooled());
    config.addDataSourceProperty("ApplicationName", "torg");
    config.addDataSourceProperty("prepareThreshold", "1");
    config.addDataSourceProperty("binaryTransferEnable", "TIMESTAMPTZ_ARRAY");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("socketTimeout", "" + RESPONSE_TIMEOUT.toSeconds());
    return config;
  }

  public DataSource dataSource() {
    return pool;
  }

  /// Whether tables are distributed by home here, so that a batch must keep to one home.
  public boolean isDistributed() {
    return read(tx -> distributed(tx.connection()));
  }

  private boolean distributed(Connection connection) throws SQLException {
    Boolean known = distributed;
    if (known == null) {
      known = Citus.isPresent(connection);
      distributed = known;
    }
    return known;
  }

  /// Runs the work in one READ COMMITTED transaction and commits it. A [Failure] thrown by the work
  /// rolls it back and passes through.
  public <T> T inTransaction(TransactionBody<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return inTransactionWithoutRetry(work);
      } catch (SQLException e) {
        if (attempt == ATTEMPTS || !SqlStates.isTransient(e)) {
          throw unavailable(e);
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L << attempt));
      }
    }
  }

  /// As [#inTransaction], but gives up at once and with the database's own word: for batches, which
  /// split instead of trying again.
  public <T> T inTransactionWithoutRetry(TransactionBody<T> work) throws SQLException {
    Connection connection = pool.getConnection();
    try {
      return attempt(connection, distributed(connection), work);
    } finally {
      giveBack(connection);
    }
  }

  /// Runs statements each on their own, without a transaction around them: for reads. They run
  /// again for a passing reason.
  public <T> T read(TransactionBody<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return readWithoutRetry(work);
      } catch (SQLException e) {
        if (attempt == ATTEMPTS || !SqlStates.isTransient(e)) {
          throw unavailable(e);
        }
      }
    }
  }

  /// As [#read], but gives up at once and with the database's own word.
  public <T> T readWithoutRetry(TransactionBody<T> work) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return work.run(new Tx(connection, distributed(connection)));
    }
  }

  private static <T> T attempt(Connection connection, boolean distributed, TransactionBody<T> work)
      throws SQLException {
    connection.setAutoCommit(false);
    Tx tx = new Tx(connection, distributed);
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

  /// An answer that says no is as good as a failure before COMMIT; only silence leaves it open.
  private static void commit(Connection connection) throws SQLException {
    try {
      connection.commit();
    } catch (SQLException e) {
      if (SqlStates.isDefinite(e)) {
        throw e;
      }
      throw new CommitUnknown(e);
    }
  }

  /// What fails here must not be taken for a failure of the transaction, which may have committed.
  private static void giveBack(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.warn("a connection could not be given back", e);
    }
  }

  private static void rollBack(Connection connection, Throwable cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  /// What a caller hears of a database that failed.
  public static Failure unavailable(SQLException cause) {
    return Failure.unavailable("database.failed", "the database did not take the call", cause);
  }

  @Override
  public void close() {
    pool.close();
  }
}
