package dev.torg.platform.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
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

  private static final String LOAD =
      """
      SELECT name, total FROM account
        JOIN unnest(?::int[], ?::text[]) AS k (home, name) USING (home, name)
      """;

  private final ConcurrentLinkedQueue<List<String>> batches = new ConcurrentLinkedQueue<>();
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private Database database;
  private ReadCoalescer<String, Long> totals;

  @BeforeEach
  void open() {
    database = Database.connect(DATABASE.url(), 4);
    database.inTransaction(tx -> tx.sql("DELETE FROM account").update());
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
    List<CompletableFuture<Optional<Long>>> asked = together(List.of("a", "b", "a", "a"));
    assertThat(asked.stream().map(CompletableFuture::join).map(Optional::orElseThrow))
        .containsExactly(1L, 2L, 1L, 1L);
    assertThat(batches).containsExactly(List.of("first"), List.of("a", "b"));
  }

  @Test
  void get_oneUnreadableRow_failsAlone() {
    save("a", 1);
    save("broken", 2);
    List<CompletableFuture<Optional<Long>>> asked = together(List.of("a", "broken"));
    assertThat(asked.get(0).join()).contains(1L);
    assertThat(asked.get(1))
        .failsWithin(30, TimeUnit.SECONDS)
        .withThrowableThat()
        .havingRootCause()
        .withMessage("on purpose");
  }

  @Test
  void get_oneCallerAsksForMany_leavesPlacesToOthers() throws Exception {
    totals.close();
    totals = coalescer(1, 8);
    gate = new CountDownLatch(1);
    var _ = totals.get("first");
    await().atMost(30, TimeUnit.SECONDS).until(() -> batches.size() == 1);
    List<CompletableFuture<Optional<Long>>> many = new ArrayList<>();
    Context busy = Context.current().withValue(CurrentCaller.ACCOUNTABLE, "user:busy");
    busy.run(() -> IntStream.range(0, 8).forEach(i -> many.add(totals.get("key" + i))));
    assertThat(many.stream().filter(CompletableFuture::isCompletedExceptionally)).hasSize(6);
    CompletableFuture<Optional<Long>> others =
        Context.current()
            .withValue(CurrentCaller.ACCOUNTABLE, "user:other")
            .call(() -> totals.get("key0"));
    gate.countDown();
    assertThat(others.join()).isEmpty();
    assertThat(many.getFirst().join()).isEmpty();
  }

  @Test
  void get_afterAWrite_seesIt() {
    for (long i = 1; i <= 200; i++) {
      save("account", i);
      assertThat(totals.get("account").join()).contains(i);
    }
  }

  @Test
  void get_manyAtOnceBySeveralWorkers_answersAll() {
    totals.close();
    totals = coalescer(3);
    IntStream.range(0, 100).forEach(i -> save("account" + i, i));
    List<CompletableFuture<Optional<Long>>> asked =
        IntStream.range(0, 10_000).mapToObj(i -> totals.get("account" + i % 100)).toList();
    for (int i = 0; i < asked.size(); i++) {
      assertThat(asked.get(i).join()).contains((long) i % 100);
    }
    assertThat(batches).hasSizeLessThan(2_000);
  }

  private ReadCoalescer<String, Long> coalescer(int parallel) {
    return coalescer(parallel, 20_000);
  }

  private ReadCoalescer<String, Long> coalescer(int parallel, int capacity) {
    return new ReadCoalescer<>(
        CoalescerSettings.of("totals", database, parallel).withCapacity(capacity),
        database,
        Home::of,
        this::load,
        new SimpleMeterRegistry());
  }

  private Map<String, Long> load(Tx tx, List<String> names) throws SQLException {
    batches.add(names);
    awaitGate();
    Map<String, Long> found = new HashMap<>();
    tx.sql(LOAD)
        .homes(names, Home::of)
        .texts(names, name -> name)
        .each(row -> found.put(readable(row.textAt(1)), row.longAt(2)));
    return found;
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
    List<CompletableFuture<Optional<Long>>> asked = names.stream().map(totals::get).toList();
    gate.countDown();
    return asked;
  }

  private void save(String name, long total) {
    database.inTransaction(
        tx ->
            tx.sql(
                    """
                    INSERT INTO account (home, name, total) VALUES (?, ?, ?)
                    ON CONFLICT (home, name) DO UPDATE SET total = excluded.total
                    """)
                .set(Home.of(name))
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
