package dev.torg.platform.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.Failure;
import dev.torg.platform.db.BatchColumns;
import dev.torg.platform.db.BatchSql;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.db.ShardMap;
import dev.torg.platform.db.Tx;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.testkit.TestDatabase;
import io.grpc.Context;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class ReadCoalescerIT {
  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("ledger", Migrations.of("ledger")::migrate);

  private static final BatchSql<String> LOAD =
      BatchColumns.<String>of(PaymentHandler::homeOf)
          .texts("name", name -> name)
          .sql(
              """
              SELECT a.name, a.total FROM :batch(k) JOIN account a USING (home, name)
               WHERE :shard(a)
              """);

  private final ConcurrentLinkedQueue<List<String>> batches = new ConcurrentLinkedQueue<>();

  /// Of the next loads, but not of the first one.
  private final ConcurrentLinkedQueue<SQLException> failures = new ConcurrentLinkedQueue<>();

  private volatile CountDownLatch gate = new CountDownLatch(0);
  private Database database;
  private ReadCoalescer<String, Long> totals;

  @BeforeEach
  void open() {
    database = Database.connect(DATABASE.url(), 4);
    database.inTransaction(tx -> tx.sql("TRUNCATE account").update());
    totals = coalescer(1);
  }

  @AfterEach
  void close() {
    gate.countDown();
    totals.close();
    database.close();
  }

  @Test
  void get_existingAndMissing_returnsEach() {
    save("there", 5);
    assertThat(totals.get("there").join()).contains(5L);
    assertThat(totals.get("missing").join()).isEmpty();
  }

  @Test
  void get_sameKeyWhileABatchRuns_isLoadedOnce() {
    save("a", 1);
    save("b", 2);
    List<CompletableFuture<Optional<Long>>> reads = together(List.of("a", "b", "a", "a"));
    assertThat(reads.stream().map(CompletableFuture::join).map(Optional::orElseThrow))
        .containsExactly(1L, 2L, 1L, 1L);
    assertThat(batches).containsExactly(List.of("first"), List.of("a", "b"));
  }

  @Test
  void get_oneUnreadableRow_failsAlone() {
    save("a", 1);
    save("broken", 2);
    List<CompletableFuture<Optional<Long>>> reads = together(List.of("a", "broken"));
    assertThat(reads.get(0).join()).contains(1L);
    assertThat(reads.get(1))
        .failsWithin(30, TimeUnit.SECONDS)
        .withThrowableThat()
        .havingRootCause()
        .withMessage("on purpose");
  }

  @Test
  void get_transientFailure_isRetriedOnce() {
    save("a", 1);
    failures.add(new SQLException("on purpose", "40001"));
    assertThat(totals.get("a").join()).contains(1L);
    assertThat(batches).containsExactly(List.of("a"), List.of("a"));
  }

  /// Reading one by one would only wait for the database as often.
  @Test
  void get_connectionLostTwice_failsAllAsUnavailable() {
    failures.add(new SQLException("on purpose", "08006"));
    failures.add(new SQLException("on purpose", "08006"));
    List<CompletableFuture<Optional<Long>>> reads = together(List.of("a", "b"));
    for (CompletableFuture<Optional<Long>> read : reads) {
      assertThat(read)
          .failsWithin(30, TimeUnit.SECONDS)
          .withThrowableThat()
          .havingCause()
          .isInstanceOfSatisfying(
              Failure.class, e -> assertThat(e.kind()).isEqualTo(Failure.Kind.UNAVAILABLE));
    }
    assertThat(batches).containsExactly(List.of("first"), List.of("a", "b"), List.of("a", "b"));
  }

  @Test
  void get_statementRefused_readsOneByOne() {
    save("a", 1);
    save("b", 2);
    failures.add(new SQLException("on purpose", "22000"));
    List<CompletableFuture<Optional<Long>>> reads = together(List.of("a", "b"));
    assertThat(reads.stream().map(CompletableFuture::join).map(Optional::orElseThrow))
        .containsExactly(1L, 2L);
    assertThat(batches)
        .containsExactly(List.of("first"), List.of("a", "b"), List.of("a"), List.of("b"));
  }

  @Test
  void get_oneCallerRequestsMany_leavesCapacityToOthers() throws Exception {
    totals.close();
    totals = coalescer(new CoalescerSettings("totals", ShardMap.single(), 1, 100, 8));
    gate = new CountDownLatch(1);
    var _ = totals.get("first");
    await().atMost(30, TimeUnit.SECONDS).until(() -> batches.size() == 1);
    List<CompletableFuture<Optional<Long>>> reads = new ArrayList<>();
    Context busy = Context.current().withValue(CurrentCaller.ACCOUNTABLE, "user:busy");
    busy.run(() -> IntStream.range(0, 8).forEach(i -> reads.add(totals.get("key" + i))));
    assertThat(reads.stream().filter(CompletableFuture::isCompletedExceptionally)).hasSize(6);
    CompletableFuture<Optional<Long>> others =
        Context.current()
            .withValue(CurrentCaller.ACCOUNTABLE, "user:other")
            .call(() -> totals.get("key0"));
    gate.countDown();
    assertThat(others.join()).isEmpty();
    assertThat(reads.getFirst().join()).isEmpty();
  }

  @Test
  void get_afterAWrite_seesIt() {
    for (long i = 1; i <= 200; i++) {
      save("account", i);
      assertThat(totals.get("account").join()).contains(i);
    }
  }

  @Test
  void get_manyAtOnceBySeveralWorkers_completesAll() {
    totals.close();
    totals = coalescer(3);
    IntStream.range(0, 100).forEach(i -> save("spread" + i, i));
    List<CompletableFuture<Optional<Long>>> requested =
        IntStream.range(0, 10_000).mapToObj(i -> totals.get("spread" + i % 100)).toList();
    for (int i = 0; i < requested.size(); i++) {
      assertThat(requested.get(i).join()).contains((long) i % 100);
    }
    assertThat(batches).hasSizeLessThan(2_000);
  }

  private ReadCoalescer<String, Long> coalescer(int parallel) {
    return coalescer(CoalescerSettings.of("totals", database, parallel));
  }

  private ReadCoalescer<String, Long> coalescer(CoalescerSettings settings) {
    return new ReadCoalescer<>(
        settings, database, PaymentHandler::homeOf, this::load, new SimpleMeterRegistry());
  }

  private Map<String, Long> load(Tx tx, List<String> names) throws SQLException {
    batches.add(names);
    awaitGate();
    SQLException failure = names.contains("first") ? null : failures.poll();
    if (failure != null) {
      throw failure;
    }
    Map<String, Long> values = new HashMap<>();
    tx.sql(LOAD, names).each(row -> values.put(readable(row.textAt(1)), row.longAt(2)));
    return values;
  }

  private static String readable(String name) {
    if (name.equals("broken")) {
      throw new IllegalStateException("on purpose");
    }
    return name;
  }

  /// Requests reads while a first one holds the only worker, so that the others become one batch.
  private List<CompletableFuture<Optional<Long>>> together(List<String> names) {
    gate = new CountDownLatch(1);
    var _ = totals.get("first");
    await().atMost(30, TimeUnit.SECONDS).until(() -> !batches.isEmpty());
    List<CompletableFuture<Optional<Long>>> reads = names.stream().map(totals::get).toList();
    gate.countDown();
    return reads;
  }

  private void save(String name, long total) {
    database.inTransaction(
        tx ->
            tx.sql(
                    """
                    INSERT INTO account (home, name, total) VALUES (?, ?, ?)
                    ON CONFLICT (home, name) DO UPDATE SET total = excluded.total
                    """)
                .set(PaymentHandler.homeOf(name))
                .set(name)
                .set(total)
                .update());
  }

  private void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
