package dev.torg.alerts.delivery;

import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.lease.Lease;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates the monthly partitions of `told` in advance and drops those that no alert can need: older
/// offers cause no alerts.
public final class AlertDedupPartitionsJob {
  private static final Logger LOG = LoggerFactory.getLogger(AlertDedupPartitionsJob.class);
  private static final int RETENTION_MONTHS = 6;
  private static final int MONTHS_AHEAD = 2;
  private static final String PREFIX = "told_";

  private static final String ALL =
      """
      SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'told'::regclass
      """;

  /// A lock of the table itself would be taken in every shard, behind all writers.
  private static final String LOCK =
      "SELECT pg_advisory_xact_lock(hashtextextended('partitions of told', 0))";

  private static final String LOCK_TIMEOUT = "SELECT current_setting('lock_timeout')";

  private static final String SET_LOCK_TIMEOUT = "SELECT set_config('lock_timeout', ?, true)";

  /// How long a process waits while others create a partition, which takes some 100 ms on distributed tables.
  private static final String CREATION_TIMEOUT = "10s";

  private final Database database;

  public AlertDedupPartitionsJob(Database database) {
    this.database = database;
  }

  /// Runs for one group only: the partitions are shared by all.
  public boolean run(Lease lease, Instant now) {
    if (lease.group() == 0) {
      ensure(now);
      drop(now);
    }
    return false;
  }

  /// From the oldest retained month to some months ahead.
  public void ensure(Instant now) {
    LocalDate first = oldest(now);
    Set<String> existing = Set.copyOf(database.read(AlertDedupPartitionsJob::all));
    for (int i = 0; i < RETENTION_MONTHS + MONTHS_AHEAD; i++) {
      LocalDate month = first.plusMonths(i);
      if (!existing.contains(name(month))) {
        database.inTransaction(tx -> create(tx, month));
      }
    }
  }

  private void drop(Instant now) {
    String oldest = name(oldest(now));
    for (String table : database.read(AlertDedupPartitionsJob::all)) {
      if (table.startsWith(PREFIX) && table.compareTo(oldest) < 0) {
        database.inTransaction(tx -> execute(tx, "DROP TABLE IF EXISTS " + table));
        LOG.info("dropped {}", table);
      }
    }
  }

  private static LocalDate oldest(Instant now) {
    return LocalDate.ofInstant(now, ZoneOffset.UTC)
        .withDayOfMonth(1)
        .minusMonths(RETENTION_MONTHS - 1);
  }

  private static String name(LocalDate month) {
    return PREFIX + month.toString().substring(0, 7).replace('-', '_');
  }

  private static List<String> all(Tx tx) throws SQLException {
    return tx.sql(ALL).list(row -> row.textAt(1));
  }

  /// Several processes may run at once: the lock serializes them.
  private static boolean create(Tx tx, LocalDate month) throws SQLException {
    lock(tx);
    return execute(
        tx,
        "CREATE TABLE IF NOT EXISTS %s PARTITION OF told FOR VALUES FROM ('%s') TO ('%s')"
            .formatted(name(month), month, month.plusMonths(1)));
  }

  /// Only this lock is waited for so long, when nothing else is locked.
  private static void lock(Tx tx) throws SQLException {
    String timeout = tx.sql(LOCK_TIMEOUT).first(row -> row.textAt(1)).orElseThrow();
    setLockTimeout(tx, CREATION_TIMEOUT);
    execute(tx, LOCK);
    setLockTimeout(tx, timeout);
  }

  private static void setLockTimeout(Tx tx, String timeout) throws SQLException {
    tx.sql(SET_LOCK_TIMEOUT).set(timeout).first(_ -> true);
  }

  private static boolean execute(Tx tx, String sql) throws SQLException {
    try (Statement statement = tx.connection().createStatement()) {
      return statement.execute(sql);
    }
  }
}
