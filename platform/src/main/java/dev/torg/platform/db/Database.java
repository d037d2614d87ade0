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
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connection pool of one PostgreSQL server, and transactions as lambdas.
///
/// A transaction that failed before COMMIT for a transient reason (a deadlock, a serialization failure, a lock
/// timeout of 200 ms, a lost connection) is retried a bounded number of times. A COMMIT whose response was lost is
/// never retried: its outcome is unknown ([CommitUnknown]).
public final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  /// Enough to outlive a burst of deadlocks, few enough to fail within a second or two.
  private static final int ATTEMPTS = 5;

  private static final Duration CONNECTION_WAIT = Duration.ofSeconds(5);

  /// Connections opened in advance; further ones are opened on demand and closed after ten idle minutes.
  private static final int MIN_IDLE_CONNECTIONS = 8;

  /// Longer than any of our statements; detects a server that vanished without closing its connections.
  static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(60);

  /// A split of shards is noticed within this time. Until then batches of that shard fail and run item by item.
  private static final Duration SHARD_MAP_MAX_AGE = Duration.ofSeconds(30);

  private final HikariDataSource pool;

  private volatile @Nullable CachedShards shards;

  /// Held by the one thread that reads the shards again; others use the former ones meanwhile.
  private final ReentrantLock shardsLock = new ReentrantLock();

  /// Null until first queried: tables are distributed once, before they are used.
  private volatile @Nullable Boolean distributed;

  public Database(HikariDataSource pool) {
    this.pool = pool;
  }

  /// The address contains the credentials: `jdbc:postgresql://host:port/name?user=…&password=…`.
  public static Database connect(String url, int connections) {
    requireReachable(url);
    return new Database(new HikariDataSource(config(url, connections)));
  }

  /// Fails with a one-sentence message when the server cannot be reached; the pool would log a stack trace.
  public static void requireReachable(String url) {
    try (Connection probe = DriverManager.getConnection(url)) {
      LOG.debug("connected as {}", probe.getMetaData().getUserName());
    } catch (SQLException e) {
      throw Failure.unavailable(
          "database.unreachable", "cannot connect to the database: " + e.getMessage(), e);
    }
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

  /// The size of the pool.
  public int connections() {
    return pool.getMaximumPoolSize();
  }

  /// Whether tables are distributed by home here, so that a transaction must keep to one shard.
  public boolean isDistributed() {
    Boolean cached = distributed;
    return cached == null ? read(tx -> distributed(tx.connection())) : cached;
  }

  /// The shards of homes: a transaction writes rows of one of them.
  public ShardMap shards() {
    CachedShards cached = shards;
    if (cached == null) {
      ShardMap map = readShards();
      shards = new CachedShards(map, System.nanoTime());
      return map;
    }
    return cached.isOld() && shardsLock.tryLock() ? refreshed(cached.map) : cached.map;
  }

  /// A map that cannot be read again stays in use for the same time.
  private ShardMap refreshed(ShardMap former) {
    ShardMap map = former;
    try {
      map = readShards();
      if (!map.equals(former)) {
        LOG.info("the shards have changed: {} before, {} now", former.count(), map.count());
      }
    } catch (Failure e) {
      LOG.warn("cannot read the shards: {}", e.toString());
    } finally {
      shards = new CachedShards(map, System.nanoTime());
      shardsLock.unlock();
    }
    return map;
  }

  private ShardMap readShards() {
    return read(
        tx -> distributed(tx.connection()) ? ShardMap.read(tx.connection()) : ShardMap.single());
  }

  private record CachedShards(ShardMap map, long readAt) {
    boolean isOld() {
      return map.count() > 1 && System.nanoTime() - readAt > SHARD_MAP_MAX_AGE.toNanos();
    }
  }

  private boolean distributed(Connection connection) throws SQLException {
    Boolean cached = distributed;
    if (cached == null) {
      cached = Citus.isPresent(connection);
      distributed = cached;
    }
    return cached;
  }

  /// Runs the body in one READ COMMITTED transaction and commits it. A [Failure] thrown by the body
  /// rolls the transaction back and is rethrown.
  public <T> T inTransaction(TransactionBody<T> body) {
    for (int attempt = 1; ; attempt++) {
      try {
        return inTransactionWithoutRetry(body);
      } catch (SQLException e) {
        if (attempt == ATTEMPTS || !SqlStates.isTransient(e)) {
          throw unavailable(e);
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L << attempt));
      }
    }
  }

  /// As [#inTransaction], for statements without a result.
  public void transact(TransactionAction action) {
    inTransaction(
        tx -> {
          action.run(tx);
          return true;
        });
  }

  /// As [#inTransaction], but without retries and with the database's own exception: for batches, which
  /// split instead of retrying.
  public <T> T inTransactionWithoutRetry(TransactionBody<T> body) throws SQLException {
    Connection connection = pool.getConnection();
    try {
      return attempt(connection, distributed(connection), body);
    } finally {
      release(connection);
    }
  }

  /// Runs statements in auto-commit mode, without a transaction around them: for reads. They are
  /// retried after a transient failure.
  public <T> T read(TransactionBody<T> body) {
    for (int attempt = 1; ; attempt++) {
      try {
        return readWithoutRetry(body);
      } catch (SQLException e) {
        if (attempt == ATTEMPTS || !SqlStates.isTransient(e)) {
          throw unavailable(e);
        }
      }
    }
  }

  /// As [#read], but without retries and with the database's own exception.
  public <T> T readWithoutRetry(TransactionBody<T> body) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return body.run(new Tx(connection, distributed(connection)));
    }
  }

  private static <T> T attempt(Connection connection, boolean distributed, TransactionBody<T> body)
      throws SQLException {
    connection.setAutoCommit(false);
    Tx tx = new Tx(connection, distributed);
    T result;
    try {
      result = body.run(tx);
    } catch (SQLException | RuntimeException | Error e) {
      rollBack(connection, e);
      throw e;
    }
    commit(connection);
    tx.committed();
    return result;
  }

  /// A refusal by the server counts as a failure before COMMIT; only a missing response leaves the outcome unknown.
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

  /// A failure here must not be mistaken for a failure of the transaction, which may have committed.
  private static void release(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.warn("a connection could not be returned to the pool", e);
    }
  }

  private static void rollBack(Connection connection, Throwable cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  /// The failure that a caller receives when the database failed.
  public static Failure unavailable(SQLException cause) {
    return Failure.unavailable(
        "database.failed", "the database could not process the request", cause);
  }

  @Override
  public void close() {
    pool.close();
  }
}
