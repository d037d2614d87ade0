package dev.torg.platform.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.projection.Projection.Change;
import dev.torg.platform.projection.Projection.Column;
import dev.torg.platform.projection.Projection.Source;
import dev.torg.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ProjectionIT {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Home HOME = new Home(7);

  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("platform", Migrations.of("platform")::migrate);

  private static final Instant LATER = NOW.plus(Projection.TOMBSTONE_RETENTION).plusSeconds(1);

  private static final Database database = Database.connect(DATABASE.url(), 8);

  /// Waits for locks as long as it takes.
  private static final Database patient = new Database(new HikariDataSource(plainPool()));

  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  private record Follower(String seller, long person, String settings) {}

  private final Projection<Follower> projection =
      new Projection<>(
          "follower",
          List.of(
              new Column<>("seller", "text", Follower::seller),
              new Column<>("person", "bigint", Follower::person)),
          List.of(new Column<>("settings", "text", Follower::settings)));

  @BeforeAll
  static void createTable() {
    database.inTransaction(
        tx ->
            tx.sql(
                    """
                    CREATE TABLE follower (
                      home int, seller text, person bigint, settings text NOT NULL,
                      seq bigint NOT NULL, removed_at timestamptz,
                      PRIMARY KEY (home, seller, person))
                    """)
                .update());
  }

  @BeforeEach
  void empty() {
    database.inTransaction(tx -> tx.sql("TRUNCATE follower").update());
  }

  private static HikariConfig plainPool() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(DATABASE.url());
    config.setMaximumPoolSize(3);
    return config;
  }

  @AfterEach
  void end() {
    executor.close();
  }

  @AfterAll
  static void close() {
    patient.close();
    database.close();
  }

  @Test
  void apply_newRow_isPresentAndCounted() {
    assertThat(apply(values(1, 10, "daily"))).extracting(Change::difference).containsExactly(1);
    assertThat(settings()).containsExactly("daily");
  }

  @Test
  void apply_sameOrOlderSeq_changesNothing() {
    apply(values(1, 10, "daily"));
    assertThat(apply(values(1, 10, "off"), values(1, 9, "instant"))).isEmpty();
    assertThat(settings()).containsExactly("daily");
  }

  @Test
  void apply_newerSeq_changesWithoutCounting() {
    apply(values(1, 10, "daily"));
    assertThat(apply(values(1, 11, "off"))).extracting(Change::difference).containsExactly(0);
    assertThat(settings()).containsExactly("off");
  }

  @Test
  void apply_removalThenLateEvent_staysRemoved() {
    apply(values(1, 10, "daily"));
    assertThat(apply(removed(1, 12))).extracting(Change::difference).containsExactly(-1);
    assertThat(apply(values(1, 11, "late"))).isEmpty();
    assertThat(settings()).isEmpty();
  }

  @Test
  void apply_removalBeforeTheRow_keepsItOut() {
    assertThat(apply(removed(1, 12))).extracting(Change::difference).containsExactly(0);
    assertThat(apply(values(1, 11, "late"))).isEmpty();
  }

  @Test
  void apply_oneRowSeveralTimesInABatch_appliesTheHighest() {
    assertThat(apply(values(1, 10, "a"), values(1, 12, "c"), values(1, 11, "b"))).hasSize(1);
    assertThat(settings()).containsExactly("c");
  }

  @Test
  void apply_rowsOfSeveralHomes_areSeparate() {
    Source<Follower> firstHome = values(1, 10, "here");
    Source<Follower> secondHome =
        new Source<>(new Home(8), 10, false, new Follower("s", 1, "there"));
    assertThat(apply(firstHome, secondHome)).hasSize(2);
    assertThat(settings()).containsExactlyInAnyOrder("here", "there");
  }

  @Test
  void sweep_removedAWeekAgo_deletesTombstonesOnly() {
    apply(values(1, 10, "stays"), removed(2, 10));
    Instant later = NOW.plus(Projection.TOMBSTONE_RETENTION).plus(Duration.ofSeconds(1));
    assertThat(sweep(NOW.plusSeconds(60))).isZero();
    assertThat(sweep(later)).isEqualTo(1);
    assertThat(settings()).containsExactly("stays");
  }

  /// The sweep waits for a row that is being restored; when it continues, the row is live again.
  @Test
  void sweep_rowRestoredWhileItWaits_keepsTheRow() throws Exception {
    apply(removed(1, 10));
    Future<Integer> sweeping =
        patient.inTransaction(
            tx -> {
              projection.apply(tx, List.of(values(1, 11, "back")), LATER);
              Future<Integer> sweep = executor.submit(() -> sweep(patient, LATER));
              awaitLockWait();
              return sweep;
            });
    assertThat(sweeping.get()).isZero();
    assertThat(settings()).containsExactly("back");
  }

  /// The apply finds the old tombstone, a sweep deletes it, and only then the apply locks its rows. A
  /// trigger holds the apply in between.
  @Test
  void apply_tombstoneSweptBeforeItIsLocked_insertsTheRowAgain() throws Exception {
    apply(removed(1, 10));
    try (Connection lockHolder = DriverManager.getConnection(DATABASE.url())) {
      holdInserts(lockHolder);
      Future<List<Change<Follower>>> applying =
          executor.submit(
              () ->
                  patient.inTransaction(
                      tx -> projection.apply(tx, List.of(values(1, 11, "back")), LATER)));
      awaitLockWait();
      assertThat(sweep(LATER)).isEqualTo(1);
      releaseInserts(lockHolder);
      assertThat(applying.get()).extracting(Change::difference).containsExactly(1);
    } finally {
      execute("DROP TRIGGER hold ON follower");
    }
    assertThat(settings()).containsExactly("back");
  }

  /// Every INSERT into the table waits at its end while the gate holds the advisory lock.
  private static void holdInserts(Connection lockHolder) throws SQLException {
    execute(
        """
        CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NULL; END $$
        """);
    execute(
        "CREATE TRIGGER hold AFTER INSERT ON follower FOR EACH STATEMENT EXECUTE FUNCTION hold()");
    try (Statement statement = lockHolder.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(77)");
    }
  }

  private static void releaseInserts(Connection lockHolder) throws SQLException {
    try (Statement statement = lockHolder.createStatement()) {
      statement.execute("SELECT pg_advisory_unlock(77)");
    }
  }

  private static void execute(String sql) {
    database.inTransaction(tx -> tx.sql(sql).update());
  }

  private static void awaitLockWait() {
    await()
        .atMost(30, TimeUnit.SECONDS)
        .until(
            () ->
                database
                        .read(
                            tx ->
                                tx.sql(
                                        """
                                        SELECT count(*) FROM pg_stat_activity
                                         WHERE datname = current_database() AND wait_event_type = 'Lock'
                                        """)
                                    .first(row -> row.longAt(1)))
                        .orElseThrow()
                    > 0);
  }

  /// Two zombies and the current consumer apply the same history in different orders: the count derived from
  /// the changes equals the rows, and the last event of each row wins.
  @Test
  void apply_concurrentlyInAnyOrder_appliesTheLatestAndCountsExactly() throws Exception {
    List<Source<Follower>> history = new ArrayList<>();
    for (int seq = 1; seq <= 40; seq++) {
      for (int person = 0; person < 10; person++) {
        history.add(seq % 3 == 0 ? removed(person, seq) : values(person, seq, "s" + seq));
      }
    }
    int count = 0;
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Integer> applied : executor.invokeAll(shuffledAppliers(history))) {
        count += applied.get();
      }
    }
    assertThat(settings()).hasSize(10).containsOnly("s40");
    assertThat(count).isEqualTo(10);
  }

  private List<Callable<Integer>> shuffledAppliers(List<Source<Follower>> history) {
    List<Callable<Integer>> appliers = new ArrayList<>();
    for (int seed = 0; seed < 3; seed++) {
      List<Source<Follower>> shuffled = new ArrayList<>(history);
      Collections.shuffle(shuffled, new Random(seed));
      appliers.add(() -> applyInBatches(shuffled));
    }
    return appliers;
  }

  private int applyInBatches(List<Source<Follower>> all) {
    int difference = 0;
    for (int from = 0; from < all.size(); from += 20) {
      List<Source<Follower>> batch = all.subList(from, from + 20);
      difference +=
          database.inTransaction(tx -> projection.apply(tx, batch, NOW)).stream()
              .mapToInt(Change::difference)
              .sum();
    }
    return difference;
  }

  @SafeVarargs
  private List<Change<Follower>> apply(Source<Follower>... values) {
    return database.inTransaction(tx -> projection.apply(tx, List.of(values), NOW));
  }

  private int sweep(Instant now) {
    return sweep(database, now);
  }

  private int sweep(Database sweeper, Instant now) {
    return sweeper.inTransaction(tx -> projection.sweep(tx, HOME, now, 100));
  }

  private static Source<Follower> values(long person, long seq, String settings) {
    return new Source<>(HOME, seq, false, new Follower("s", person, settings));
  }

  private static Source<Follower> removed(long person, long seq) {
    return new Source<>(HOME, seq, true, new Follower("s", person, ""));
  }

  private List<String> settings() {
    return database.read(
        tx ->
            tx.sql("SELECT settings FROM follower WHERE removed_at IS NULL ORDER BY home, person")
                .list(row -> row.textAt(1)));
  }
}
