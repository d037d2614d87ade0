package dev.torg.favorites;

import static dev.torg.favorites.FavoritesFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.torg.favorites.merge.LoginMergeProcess;
import dev.torg.favorites.read.FavoriteTotalsMetrics;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The job that resumes merges, driven by the test's clock as [dev.torg.platform.job.JobScheduler] drives it.
class LoginMergeResumeIT {
  @RegisterExtension static final TestDatabase TABLES = FavoritesFixture.tables();

  private static final FavoritesFixture FIXTURE = new FavoritesFixture(TABLES);
  private static final List<Home> HOMES = List.of(new Home(1), new Home(2), new Home(3));
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(30);

  /// No job may run again at once more often than this without being stopped.
  private static final int MAX_RUNS_AT_ONCE = 50;

  /// What a step throws: a refusal, and an unexpected exception.
  private static final List<Supplier<RuntimeException>> FAILURES =
      List.of(
          () -> Failure.conflict("test", "this merge fails permanently"),
          () -> new IllegalStateException("this merge fails permanently"));

  private Supplier<RuntimeException> failure = FAILURES.getFirst();
  private final Set<String> failing = new HashSet<>();
  private final Map<String, Integer> attempts = new HashMap<>();
  private final LoginMergeProcess process =
      new LoginMergeProcess(
          FIXTURE.database,
          List.of(LoginMergeStep.named("fails", this::page)),
          () -> TestClock.START);
  private Instant now = TestClock.START;

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @BeforeEach
  void deleteMerges() {
    FIXTURE.clear("move");
  }

  private boolean page(String anonymous, String login) {
    attempts.merge(anonymous, 1, Integer::sum);
    if (failing.contains(anonymous)) {
      throw failure.get();
    }
    return false;
  }

  @ParameterizedTest
  @FieldSource("FAILURES")
  void resume_mergesThatFailPermanently_othersFinish(Supplier<RuntimeException> thrown) {
    failure = thrown;
    start(new Home(1), 12, true);
    String sameHome = start(new Home(1), 1, false).getFirst();
    String homeBehind = start(new Home(3), 1, false).getFirst();
    runFor(Duration.ofMinutes(2));
    assertThat(isFinished(sameHome)).isTrue();
    assertThat(isFinished(homeBehind)).isTrue();
  }

  @ParameterizedTest
  @FieldSource("FAILURES")
  void resume_mergesThatFailPermanently_areTriedAtGrowingIntervals(
      Supplier<RuntimeException> thrown) {
    failure = thrown;
    List<String> failing = start(new Home(2), 12, true);
    runFor(Duration.ofHours(3));
    // After 1 minute, then 1, 2, 4, 8, 16, 32 and 60 minutes later, and once more an hour after
    // that.
    assertThat(failing)
        .allSatisfy(anonymous -> assertThat(attempts.get(anonymous)).isBetween(7, 9));
  }

  @Test
  void resume_mergeThatFailedAndIsRepaired_finishesAtItsNextAttempt() {
    String anonymous = start(new Home(1), 1, true).getFirst();
    runFor(Duration.ofMinutes(10));
    failing.clear();
    runFor(Duration.ofMinutes(10));
    assertThat(isFinished(anonymous)).isTrue();
  }

  @Test
  void metric_mergesThatFailRepeatedly_areCounted() {
    start(new Home(1), 3, true);
    start(new Home(2), 2, false);
    runFor(Duration.ofHours(1));
    MeterRegistry registry = new SimpleMeterRegistry();
    FavoriteTotalsMetrics totals =
        new FavoriteTotalsMetrics(FIXTURE.database, LoginMergeProcess.ALARMING_ATTEMPTS, registry);
    assertThat(totals).isNotNull();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> registry.get("torg.favorites.moves.failing").gauge().value() == 3);
  }

  /// Merges of anonymous identities of a home, interrupted in their first step.
  private List<String> start(Home home, int count, boolean forGood) {
    List<String> anonymous =
        Stream.generate(() -> "anon:" + UUID.randomUUID())
            .filter(subject -> Home.of(subject).equals(home))
            .limit(count)
            .toList();
    failing.addAll(anonymous);
    anonymous.forEach(
        subject ->
            assertThatThrownBy(() -> process.merge(subject, newUser()))
                .hasMessage("this merge fails permanently"));
    anonymous.forEach(attempts::remove);
    if (!forGood) {
      anonymous.forEach(failing::remove);
    }
    return anonymous;
  }

  private void runFor(Duration time) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      now = now.plus(POLL_INTERVAL);
      if (!process.unfinished(HOMES, now).isEmpty()) {
        runUntilDone();
      }
    }
  }

  private void runUntilDone() {
    int runs = 1;
    while (process.resume(HOMES, now)) {
      assertThat(++runs).isLessThan(MAX_RUNS_AT_ONCE);
    }
  }

  private static boolean isFinished(String anonymous) {
    return FIXTURE.database.read(
        tx ->
            tx.sql("SELECT finished_at IS NOT NULL FROM move WHERE home = ? AND anonymous = ?")
                .set(Home.of(anonymous))
                .set(anonymous)
                .first(row -> row.booleanAt(1))
                .orElse(false));
  }
}
