package dev.torg.platform.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.testkit.ChildProcess;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Leases between real processes, one of which dies or is suspended. The class runs concurrently with others,
/// its tests one by one: they share one kind of work.
@Tag("skip-fake-citus")
@Execution(ExecutionMode.CONCURRENT)
class LeaseProcessesIT {
  /// From the death of one process to the first work of another, by the database's clock.
  private static final Duration MAX_TAKEOVER_TIME = Duration.ofSeconds(10);

  private static final Duration STARTED = Duration.ofSeconds(60);

  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("platform", Migrations.of("platform")::migrate);

  private Database database;

  private record Mark(String owner, int group, long epoch, Instant at) {}

  @BeforeEach
  void prepare() {
    database = Database.connect(DATABASE.url(), 2);
    database.inTransaction(
        tx -> {
          tx.sql(
                  """
                  CREATE TABLE IF NOT EXISTS mark
                    (owner text, homes_group int, epoch bigint, at timestamptz)
                  """)
              .update();
          tx.sql("DELETE FROM lease").update();
          return tx.sql("TRUNCATE mark").update();
        });
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void kill_oneOfTwo_otherDoesAllTheWorkWithinALease() {
    try (ChildProcess dying = start("dying", 0);
        ChildProcess staying = start("staying", 0)) {
      awaitSharing("dying", "staying");
      assertThat(staying.pid()).isPositive();
      Instant killed = databaseTime();
      dying.kill();
      awaitTakeover("staying", killed);
    }
    assertEpochsNeverGoBack();
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void freeze_oneOfTwoFor30Seconds_otherTakesOverAndTheStaleOneChangesNothing() {
    try (ChildProcess frozen = start("frozen", 0);
        ChildProcess staying = start("staying", 0)) {
      awaitSharing("frozen", "staying");
      Instant stopped = databaseTime();
      frozen.freeze();
      awaitTakeover("staying", stopped);
      await().atMost(STARTED).until(() -> databaseTime().isAfter(stopped.plusSeconds(30)));
      frozen.thaw();
      await()
          .atMost(STARTED)
          .until(() -> frozen.lines().stream().anyMatch(line -> line.startsWith("REFUSED")));
      awaitSharing("frozen", "staying");
    }
    assertEpochsNeverGoBack();
  }

  @Test
  @Execution(ExecutionMode.SAME_THREAD)
  void freeze_insideATransaction_otherStillTakesOverWithinALease() {
    try (ChildProcess frozen = start("inside", 100)) {
      await().atMost(STARTED).until(() -> frozen.lines().contains("INSIDE"));
      frozen.freeze();
      Instant stopped = databaseTime();
      try (Database other = Database.connect(DATABASE.url(), 4);
          LeaseCoordinator leases = new LeaseCoordinator(other)) {
        leases.work(MarkUnderLease.WORK, lease -> () -> Duration.ofSeconds(1));
        await().atMost(STARTED).until(() -> leases.held(MarkUnderLease.WORK).size() == Home.GROUPS);
        assertThat(Duration.between(stopped, databaseTime()))
            .isLessThanOrEqualTo(MAX_TAKEOVER_TIME);
      }
      assertThat(groupsSince("inside", stopped)).isEmpty();
    }
  }

  private ChildProcess start(String owner, int insideMillis) {
    return ChildProcess.start(
        MarkUnderLease.class, DATABASE.url(), owner, Integer.toString(insideMillis));
  }

  /// Half of the groups each, whichever process started first.
  private void awaitSharing(String... owners) {
    await()
        .atMost(STARTED)
        .untilAsserted(
            () -> {
              Instant since = databaseTime().minusSeconds(1);
              for (String owner : owners) {
                assertThat(groupsSince(owner, since)).hasSize(Home.GROUPS / owners.length);
              }
            });
  }

  /// Waits long enough for any machine, and then checks when the work really moved.
  private void awaitTakeover(String owner, Instant since) {
    await().atMost(STARTED).until(() -> groupsSince(owner, since).size() == Home.GROUPS);
    for (int group = 0; group < Home.GROUPS; group++) {
      assertThat(Duration.between(since, firstSince(owner, group, since)))
          .as("group " + group)
          .isLessThanOrEqualTo(MAX_TAKEOVER_TIME);
    }
  }

  private Instant firstSince(String owner, int group, Instant since) {
    return marks().stream()
        .filter(mark -> mark.owner().equals(owner) && mark.group() == group)
        .map(Mark::at)
        .filter(since::isBefore)
        .findFirst()
        .orElseThrow();
  }

  /// Of each group, marks in the order of time have rising epochs: no process wrote after a takeover.
  private void assertEpochsNeverGoBack() {
    List<Mark> marks = marks();
    assertThat(marks).isNotEmpty();
    for (int group = 0; group < Home.GROUPS; group++) {
      int expectedGroup = group;
      assertThat(
              marks.stream()
                  .filter(mark -> mark.group() == expectedGroup)
                  .map(Mark::epoch)
                  .toList())
          .isSorted();
    }
  }

  private Set<Integer> groupsSince(String owner, Instant since) {
    return marks().stream()
        .filter(mark -> mark.owner().equals(owner) && mark.at().isAfter(since))
        .map(Mark::group)
        .collect(Collectors.toSet());
  }

  private List<Mark> marks() {
    return database.read(
        tx ->
            tx.sql("SELECT owner, homes_group, epoch, at FROM mark ORDER BY at")
                .list(
                    row -> new Mark(row.textAt(1), row.intAt(2), row.longAt(3), row.instantAt(4))));
  }

  private Instant databaseTime() {
    return database.read(
        tx -> tx.sql("SELECT clock_timestamp()").first(row -> row.instantAt(1)).orElseThrow());
  }
}
