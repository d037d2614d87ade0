package dev.torg.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.Failure;
import dev.torg.testkit.CommitCuttingProxy;
import dev.torg.testkit.CommitCuttingProxy.Cut;
import dev.torg.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatabaseIT {
  private static final TestDatabase DATABASE = TestDatabase.empty();

  private CommitCuttingProxy cutter;
  private Database database;

  @BeforeAll
  static void createTable() throws SQLException {
    execute("CREATE TABLE note (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, text text)");
  }

  @BeforeEach
  void open() throws SQLException {
    execute("TRUNCATE note");
    cutter = CommitCuttingProxy.inFrontOf(DATABASE.url());
    database = Database.connect(cutter.url(), 2);
  }

  @AfterEach
  void close() {
    database.close();
    cutter.close();
  }

  @AfterAll
  static void drop() {
    DATABASE.close();
  }

  @Test
  void inTransaction_failureThrown_rollsBackAndPasses() {
    assertThatThrownBy(
            () ->
                database.inTransaction(
                    tx -> {
                      insert(tx, 1);
                      throw Failure.conflict("note.taken", "taken");
                    }))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.CONFLICT));
    assertThat(ids()).isEmpty();
  }

  @Test
  void inTransaction_lockTimeout_retriesUntilTheLockIsFree() throws SQLException {
    database.inTransaction(tx -> insert(tx, 1));
    AtomicInteger runs = new AtomicInteger();
    try (Connection blocker = DriverManager.getConnection(DATABASE.url());
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("UPDATE note SET text = 'blocker' WHERE id = 1");
      database.inTransaction(
          tx -> {
            if (runs.incrementAndGet() == 2) {
              blocker.rollback();
            }
            return tx.sql("UPDATE note SET text = 'ours' WHERE id = 1").update();
          });
    }
    assertThat(runs).hasValue(2);
  }

  @Test
  void session_ofThePool_endsWhenItsClientIsGone() {
    assertThat(setting("lock_timeout")).isEqualTo("200ms");
    assertThat(setting("idle_in_transaction_session_timeout")).isEqualTo("15s");
    assertThat(setting("tcp_keepalives_idle")).isEqualTo("10");
    assertThat(setting("tcp_keepalives_interval")).isEqualTo("5");
    assertThat(setting("tcp_keepalives_count")).isEqualTo("3");
    assertThat(setting("tcp_user_timeout")).isEqualTo("25000");
  }

  private String setting(String name) {
    return database
        .read(tx -> tx.sql("SELECT current_setting(?)").set(name).first(row -> row.textAt(1)))
        .orElseThrow();
  }

  @Test
  void inTransaction_sessionEndedWhileIdleInIt_isRetried() {
    List<Integer> backends = new ArrayList<>();
    database.inTransaction(
        tx -> {
          backends.add(tx.sql("SELECT pg_backend_pid()").list(row -> row.intAt(1)).getFirst());
          if (backends.size() == 1) {
            tx.sql("SELECT set_config('idle_in_transaction_session_timeout', '50ms', true)")
                .first(_ -> true);
            awaitGone(backends.getFirst());
          }
          return insert(tx, 1);
        });
    assertThat(backends).hasSize(2);
    assertThat(ids()).containsExactly(1);
  }

  private static void awaitGone(int backend) {
    await()
        .atMost(30, TimeUnit.SECONDS)
        .until(
            () -> {
              try (Connection other = DriverManager.getConnection(DATABASE.url());
                  Statement statement = other.createStatement();
                  ResultSet rows =
                      statement.executeQuery(
                          "SELECT 1 FROM pg_stat_activity WHERE pid = " + backend)) {
                return !rows.next();
              }
            });
  }

  @Test
  void inTransaction_connectionLostBeforeCommit_isRetried() {
    List<Integer> backends = new ArrayList<>();
    database.transact(
        tx -> {
          insert(tx, 1);
          backends.add(tx.sql("SELECT pg_backend_pid()").list(row -> row.intAt(1)).getFirst());
          if (backends.size() == 1) {
            terminate(backends.getFirst());
            insert(tx, 2);
          }
        });
    assertThat(backends).hasSize(2);
    assertThat(ids()).containsExactly(1);
  }

  @Test
  void inTransaction_cutBeforeTheServerReceivedCommit_isUnknownAndNotRetried() {
    cutter.cutNext(Cut.BEFORE_COMMIT);
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(() -> insertCounting(runs)).isInstanceOf(CommitUnknown.class);
    assertThat(runs).hasValue(1);
    assertThat(ids()).isEmpty();
  }

  @Test
  void inTransaction_cutAfterTheServerCommitted_isUnknownAndNotRetried() {
    cutter.cutNext(Cut.AFTER_COMMIT);
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(() -> insertCounting(runs)).isInstanceOf(CommitUnknown.class);
    assertThat(runs).hasValue(1);
    assertThat(ids()).containsExactly(1);
  }

  @Test
  void inTransaction_commitRefusedByTheServer_isAFailureAndNotUnknown() {
    assertThatThrownBy(
            () ->
                database.inTransaction(
                    tx -> {
                      insert(tx, 1);
                      return insert(tx, 1);
                    }))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.UNAVAILABLE));
    assertThat(ids()).isEmpty();
  }

  @Test
  void afterCommit_actionFails_changeStaysAndOthersRun() {
    AtomicInteger ran = new AtomicInteger();
    database.inTransaction(
        tx -> {
          tx.afterCommit(
              () -> {
                throw new IllegalStateException("on purpose");
              });
          tx.afterCommit(ran::incrementAndGet);
          return insert(tx, 1);
        });
    assertThat(ran).hasValue(1);
    assertThat(ids()).containsExactly(1);
  }

  @Test
  void afterCommit_rolledBack_doesNotRun() {
    AtomicInteger ran = new AtomicInteger();
    assertThatThrownBy(
        () ->
            database.inTransaction(
                tx -> {
                  tx.afterCommit(ran::incrementAndGet);
                  throw Failure.conflict("a", "b");
                }));
    assertThat(ran).hasValue(0);
  }

  private void insertCounting(AtomicInteger runs) {
    database.inTransaction(
        tx -> {
          runs.incrementAndGet();
          return insert(tx, 1);
        });
  }

  private static int insert(Tx tx, int id) throws SQLException {
    return tx.sql("INSERT INTO note (id) VALUES (?)").set(id).update();
  }

  private static void terminate(int backend) throws SQLException {
    execute("SELECT pg_terminate_backend(" + backend + ", 5000)");
  }

  private List<Integer> ids() {
    return database.read(tx -> tx.sql("SELECT id FROM note ORDER BY id").list(row -> row.intAt(1)));
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(DATABASE.url());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
