package dev.torg.platform.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.CommitUnknown;
import dev.torg.platform.db.ShardMap;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The table of outcomes in [WriteBatchRunner]. An item is `key` or `key:number`; its result is itself in capitals.
class WriteBatchRunnerTest {
  private static final SQLException DEADLOCK = new SQLException("deadlock", "40P01");
  private static final SQLException LOCKED = new SQLException("locked", "55P03");
  private static final SQLException REFUSED = new SQLException("refused", "23505");
  private static final SQLException LOST = new SQLException("lost", "08006");
  private static final CommitUnknown UNKNOWN = new CommitUnknown(LOST);

  private final Transactions transactions = new Transactions();
  private ShardMap shards = ShardMap.single();
  private final AtomicLong nanos = new AtomicLong();
  private final List<Long> pauses = new ArrayList<>();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final WriteBatchRunner<String, String> batches =
      new WriteBatchRunner<>(
          transactions,
          item -> new Home(item.charAt(0)),
          () -> shards,
          item -> item.split(":", -1)[0],
          new CoalescerMetrics(registry, "test"),
          nanos::get,
          pauses::add);

  /// The failure that an attempt meets.
  private interface Obstacle {
    List<Outcome<String>> meet(List<String> items) throws SQLException;
  }

  private static final class Transactions implements BatchTransactions<String, String> {
    /// By attempt; success once it is empty.
    private final Deque<Obstacle> next = new ArrayDeque<>();

    /// By item, for every attempt that includes it.
    private final Map<String, Obstacle> items = new HashMap<>();

    private final List<String> calls = new ArrayList<>();

    /// The result of each search after an unknown COMMIT.
    private final Deque<Obstacle> searches = new ArrayDeque<>();

    @Override
    public List<Outcome<String>> commit(List<String> batch, LockWait wait) throws SQLException {
      calls.add(wait == LockWait.SHORT ? batch + " short" : batch.toString());
      Obstacle obstacle = next.pollFirst();
      for (String item : batch) {
        obstacle = obstacle == null ? items.get(item) : obstacle;
      }
      return obstacle == null ? done(batch) : obstacle.meet(batch);
    }

    private static List<Outcome<String>> done(List<String> batch) {
      return batch.stream().map(item -> Outcome.done(item.toUpperCase(Locale.ROOT))).toList();
    }

    @Override
    public List<Optional<String>> recover(List<String> batch) throws SQLException {
      calls.add("recover " + batch);
      List<Outcome<String>> recovered = searches.removeFirst().meet(batch);
      return recovered.stream()
          .map(
              outcome ->
                  outcome instanceof Outcome.Done<String>(String value)
                      ? Optional.of(value)
                      : Optional.<String>empty())
          .toList();
    }
  }

  private static Obstacle fail(SQLException e) {
    return _ -> {
      throw e;
    };
  }

  private static Obstacle fail(RuntimeException e) {
    return _ -> {
      throw e;
    };
  }

  private static Obstacle finds(String... found) {
    return batch ->
        batch.stream()
            .map(
                item ->
                    List.of(found).contains(item)
                        ? Outcome.done("found " + item)
                        : Outcome.<String>failed(Failure.notFound("none", "none")))
            .toList();
  }

  private List<String> run(String... items) {
    List<Pending<String, String>> batch =
        Stream.of(items).map(Pending<String, String>::new).toList();
    batches.run(batch);
    return batch.stream().map(WriteBatchRunnerTest::result).toList();
  }

  /// The result, or the code of the failure, or the failure itself.
  private static String result(Pending<String, String> item) {
    if (!item.isDone()) {
      return "not completed";
    }
    try {
      return item.join();
    } catch (CompletionException e) {
      return e.getCause() instanceof Failure failure ? failure.code() : e.getCause().toString();
    }
  }

  private double count(String name) {
    return registry.counter(name, "coalescer", "test").count();
  }

  @Test
  void run_severalShards_commitsEachSeparately() {
    shards = ShardMap.of(IntStream.range(0, Home.COUNT).mapToLong(home -> home % 2).toArray());
    assertThat(run("a", "b", "c", "d")).containsExactly("A", "B", "C", "D");
    assertThat(transactions.calls).containsExactly("[b, d]", "[a, c]");
  }

  @Test
  void run_oneShardIsUnavailable_othersCommit() {
    shards = ShardMap.of(IntStream.range(0, Home.COUNT).mapToLong(home -> home % 2).toArray());
    transactions.items.put("a", fail(LOST));
    assertThat(run("a", "b", "c")).containsExactly("database.failed", "B", "database.failed");
  }

  @Test
  void committed_eachItemHasItsOwnOutcome() {
    transactions.next.add(
        _ ->
            List.of(
                Outcome.done("A"),
                Outcome.failed(Failure.conflict("b.taken", "taken")),
                Outcome.done("C")));
    assertThat(run("a", "b", "c")).containsExactly("A", "b.taken", "C");
    assertThat(transactions.calls).containsExactly("[a, b, c]");
    assertThat(count("torg.coalescer.splits")).isZero();
  }

  @Test
  void run_callerCancelled_isExcluded() {
    Pending<String, String> cancelled = new Pending<>("a");
    Pending<String, String> waiting = new Pending<>("b");
    cancelled.cancel(false);
    batches.run(List.of(cancelled, waiting));
    assertThat(waiting.join()).isEqualTo("B");
    assertThat(transactions.calls).containsExactly("[b]");
  }

  @Test
  void run_allCallersCancelled_appliesNothing() {
    Pending<String, String> cancelled = new Pending<>("a");
    cancelled.cancel(false);
    batches.run(List.of(cancelled));
    assertThat(transactions.calls).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01", "08006", "57P01", "25P03"})
  void transientFailure_retriesTheWholeBatch(String state) {
    transactions.next.add(fail(new SQLException("on purpose", state)));
    transactions.next.add(fail(new SQLException("on purpose", state)));
    assertThat(run("a", "b")).containsExactly("A", "B");
    assertThat(transactions.calls).containsExactly("[a, b]", "[a, b]", "[a, b]");
    assertThat(pauses).hasSize(2);
  }

  /// Random, so that batches that met each other do not meet again; the second retry pauses up to twice as long.
  @Test
  void deadlock_pausesForARandomTimeThatGrows() {
    for (int i = 0; i < 200; i++) {
      transactions.next.add(fail(DEADLOCK));
      transactions.next.add(fail(DEADLOCK));
      assertThat(run("a")).containsExactly("A");
    }
    assertThat(longestPause(0)).isBetween(1_000_000L, 2_000_000L);
    assertThat(longestPause(1)).isBetween(2_000_000L, 4_000_000L);
  }

  private long longestPause(int retry) {
    return IntStream.range(0, pauses.size())
        .filter(i -> i % 2 == retry)
        .mapToLong(pauses::get)
        .max()
        .orElseThrow();
  }

  @Test
  void deadlockThreeTimes_splitsTheBatch() {
    transactions.next.addAll(List.of(fail(DEADLOCK), fail(DEADLOCK), fail(DEADLOCK)));
    assertThat(run("a", "b")).containsExactly("A", "B");
    assertThat(transactions.calls).containsExactly("[a, b]", "[a, b]", "[a, b]", "[a]", "[b]");
    assertThat(count("torg.coalescer.splits")).isEqualTo(1);
  }

  @Test
  void databaseStaysUnavailable_allFailWithoutSplitting() {
    transactions.next.addAll(List.of(fail(LOST), fail(LOST), fail(LOST)));
    assertThat(run("a", "b")).containsExactly("database.failed", "database.failed");
    assertThat(transactions.calls).containsExactly("[a, b]", "[a, b]", "[a, b]");
  }

  /// The pool has waited already.
  @Test
  void poolExhausted_isNotRetried() {
    transactions.next.add(fail(new SQLTransientConnectionException("no connection")));
    assertThat(run("a", "b")).containsExactly("database.failed", "database.failed");
    assertThat(transactions.calls).containsExactly("[a, b]");
  }

  /// Items that have an outcome keep it.
  @Test
  void databaseLostWhileSplit_remainingItemsFail() {
    transactions.next.add(fail(REFUSED));
    transactions.items.put("b", fail(LOST));
    assertThat(run("a", "b", "c")).containsExactly("A", "database.failed", "database.failed");
    assertThat(transactions.calls).containsExactly("[a, b, c]", "[a]", "[b]", "[b]", "[b]");
  }

  static Stream<Obstacle> breakers() {
    return Stream.of(
        fail(REFUSED),
        fail(new IllegalStateException("a defect")),
        fail(Failure.conflict("item.bad", "thrown, not returned")));
  }

  @ParameterizedTest
  @MethodSource("breakers")
  void oneItemBreaksTheBatch_onlyThatItemFails(Obstacle breaker) {
    transactions.items.put("b", breaker);
    List<String> results = run("a", "b", "c");
    assertThat(results.get(0)).isEqualTo("A");
    assertThat(results.get(1))
        .isIn("database.failed", "java.lang.IllegalStateException: a defect", "item.bad");
    assertThat(results.get(2)).isEqualTo("C");
    assertThat(transactions.calls).containsExactly("[a, b, c]", "[a]", "[b]", "[c]");
    assertThat(count("torg.coalescer.splits")).isEqualTo(1);
  }

  @Test
  void itemAlone_refused_isNotRetried() {
    transactions.items.put("a", fail(REFUSED));
    assertThat(run("a")).containsExactly("database.failed");
    assertThat(transactions.calls).containsExactly("[a]");
  }

  @Test
  void errorInTheHandler_failsAllWaitingItems() {
    transactions.next.add(
        _ -> {
          throw new StackOverflowError("on purpose");
        });
    assertThat(run("a", "b"))
        .containsExactly(
            "java.lang.StackOverflowError: on purpose", "java.lang.StackOverflowError: on purpose");
  }

  @Test
  void lockTimeout_splitsAtOnceAndTriesTheLockedItemThreeTimes() {
    transactions.items.put("b", fail(LOCKED));
    assertThat(run("a", "b")).containsExactly("A", "row.locked");
    assertThat(transactions.calls).containsExactly("[a, b]", "[a]", "[b]", "[b]", "[b]");
  }

  @Test
  void lockTimeout_afterTheFirst_othersWaitShortly() {
    transactions.items.put("a", fail(LOCKED));
    transactions.items.put("b", fail(LOCKED));
    assertThat(run("a", "b", "c")).containsExactly("row.locked", "row.locked", "C");
    assertThat(transactions.calls)
        .containsExactly("[a, b, c]", "[a]", "[a]", "[a]", "[b] short", "[c] short");
  }

  @Test
  void lockTimeout_furtherItemsOfTheKey_failWithoutAnAttempt() {
    transactions.items.put("a:1", fail(LOCKED));
    assertThat(run("a:1", "a:2", "b")).containsExactly("row.locked", "row.locked", "B");
    transactions.calls.clear();
    assertThat(run("a:3", "b", "c")).containsExactly("row.locked", "B", "C");
    assertThat(transactions.calls).containsExactly("[b, c]");
  }

  /// On probation an item is tried separately, in order: those before it have already run.
  @Test
  void pauseEnded_nextItemDecidesForItsKey() {
    transactions.items.put("a:1", fail(LOCKED));
    run("a:1");
    pass(Duration.ofMillis(201));
    transactions.calls.clear();
    assertThat(run("b", "a:2", "c", "a:3")).containsExactly("B", "A:2", "C", "A:3");
    assertThat(transactions.calls).containsExactly("[b]", "[a:2] short", "[c, a:3]");
  }

  @Test
  void stillLockedOnProbation_pausesLonger() {
    transactions.items.put("a", fail(LOCKED));
    run("a");
    pass(Duration.ofMillis(201));
    transactions.calls.clear();
    assertThat(run("a")).containsExactly("row.locked");
    assertThat(transactions.calls).containsExactly("[a] short");
    pass(Duration.ofMillis(399));
    assertThat(run("a")).containsExactly("row.locked");
    assertThat(transactions.calls).hasSize(1);
    pass(Duration.ofMillis(2));
    run("a");
    assertThat(transactions.calls).hasSize(2);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void commitUnknown_allFound_resolvesFromTheRows() {
    transactions.next.add(fail(UNKNOWN));
    transactions.searches.add(finds("a", "b"));
    assertThat(run("a", "b")).containsExactly("found a", "found b");
    assertThat(transactions.calls).containsExactly("[a, b]", "recover [a, b]");
    assertThat(count("torg.coalescer.unknown")).isEqualTo(1);
  }

  /// A COMMIT may still be in progress at the server, so it searches three times; it never applies
  /// the items again.
  @Test
  void commitUnknown_foundLater_searchesForTheRemainingOnly() {
    transactions.next.add(fail(UNKNOWN));
    transactions.searches.addAll(List.of(finds(), finds("a"), finds()));
    assertThat(run("a", "b")).containsExactly("found a", "commit.unknown");
    assertThat(transactions.calls)
        .containsExactly("[a, b]", "recover [a, b]", "recover [a, b]", "recover [b]");
    assertThat(pauses.stream().map(n -> n / 1_000_000)).containsExactly(0L, 50L, 200L);
  }

  @Test
  void commitUnknown_cannotSearch_failsTheRemainingItems() {
    transactions.next.add(fail(UNKNOWN));
    transactions.searches.addAll(List.of(finds("a"), fail(LOST)));
    assertThat(run("a", "b")).containsExactly("found a", "commit.unknown");
    assertThat(transactions.calls).containsExactly("[a, b]", "recover [a, b]", "recover [b]");
  }

  @Test
  void commitUnknown_searchFails_isUnavailable() {
    transactions.next.add(fail(UNKNOWN));
    transactions.searches.add(fail(new IllegalStateException("a defect")));
    assertThat(run("a")).containsExactly("commit.unknown");
  }

  @Test
  void commitUnknownAfterARetry_isNotRetried() {
    transactions.next.addAll(List.of(fail(DEADLOCK), fail(UNKNOWN)));
    transactions.searches.addAll(List.of(finds(), finds(), finds()));
    assertThat(run("a")).containsExactly("commit.unknown");
    assertThat(transactions.calls)
        .containsExactly("[a]", "[a]", "recover [a]", "recover [a]", "recover [a]");
  }
}
