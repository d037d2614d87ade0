package dev.torg.platform.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.Failure;
import dev.torg.platform.coalesce.PaymentHandler.Payment;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.db.ShardMap;
import dev.torg.testkit.CommitCuttingProxy;
import dev.torg.testkit.CommitCuttingProxy.Cut;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(60)
@Execution(ExecutionMode.SAME_THREAD)
class WriteCoalescerIT {
  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("ledger", Migrations.of("ledger")::migrate);

  private final PaymentHandler payments = new PaymentHandler();
  private CommitCuttingProxy cutter;
  private Database direct;
  private Database database;
  private WriteCoalescer<Payment, Long> coalescer;

  @BeforeEach
  void open() {
    cutter = CommitCuttingProxy.inFrontOf(DATABASE.url());
    direct = Database.connect(DATABASE.url(), 2);
    database = Database.connect(cutter.url(), 4);
    direct.inTransaction(tx -> tx.sql("TRUNCATE account").update());
    direct.inTransaction(tx -> tx.sql("TRUNCATE entry").update());
    coalescer = coalescer(1, 20_000);
  }

  @AfterEach
  void close() {
    coalescer.close();
    database.close();
    direct.close();
    cutter.close();
  }

  @Test
  void submit_manyAtOnce_appliesEachOnceInFewTransactions() {
    List<CompletableFuture<Long>> paid =
        IntStream.range(0, 5_000).mapToObj(i -> pay("spread" + i % 50, 1)).toList();
    paid.forEach(CompletableFuture::join);
    assertThat(total()).isEqualTo(5_000);
    assertThat(timesByToken()).hasSize(5_000).allSatisfy((token, n) -> assertThat(n).isOne());
    assertThat(payments.batches).hasSizeLessThan(1_000);
  }

  @Test
  void submit_oneItemRefused_failsAloneAndTheOthersCommit() {
    List<CompletableFuture<Long>> paid = payTogether(List.of(1L, -1L, 2L));
    assertThat(paid.get(0).join()).isEqualTo(1);
    assertThat(kind(paid.get(1))).isEqualTo("INVALID");
    assertThat(paid.get(2).join()).isEqualTo(2);
    assertThat(total()).isEqualTo(3);
    assertThat(payments.batches).containsExactly(1, 3);
  }

  @Test
  void submit_databaseRefusesOneItem_onlyThatItemFails() {
    List<CompletableFuture<Long>> paid =
        payTogether(List.of(1L, PaymentHandler.BREAKS_THE_STATEMENT, 2L));
    assertThat(paid.get(0).join()).isEqualTo(1);
    assertThat(kind(paid.get(1))).isEqualTo("UNAVAILABLE");
    assertThat(paid.get(2).join()).isEqualTo(2);
    assertThat(total()).isEqualTo(3);
  }

  @Test
  void submit_rowLockedByAnother_onlyItsItemWaits() throws SQLException {
    pay("locked", 1).join();
    pay("free", 1).join();
    try (Connection blocker = DriverManager.getConnection(DATABASE.url())) {
      blocker.setAutoCommit(false);
      lock(blocker, "locked");
      List<CompletableFuture<Long>> paid =
          together(() -> List.of(pay("free", 2), pay("locked", 2)));
      assertThat(paid.get(0).join()).isEqualTo(2);
      assertThat(paid.get(1)).isNotDone();
      blocker.rollback();
      assertThat(paid.get(1).join()).isEqualTo(2);
    }
    assertThat(total()).isEqualTo(6);
  }

  /// Each item alone would wait three times 200 ms.
  @Test
  void submit_manyOnALockedRow_failAtOnceAfterTheFirst() throws SQLException {
    pay("locked", 1).join();
    pay("free", 1).join();
    try (Connection blocker = DriverManager.getConnection(DATABASE.url())) {
      blocker.setAutoCommit(false);
      lock(blocker, "locked");
      long startNanos = System.nanoTime();
      List<CompletableFuture<Long>> paid = together(() -> mixed(40));
      for (int i = 0; i < 40; i++) {
        assertThat(code(paid.get(2 * i))).isEqualTo("row.locked");
        assertThat(paid.get(2 * i + 1).join()).isEqualTo(1);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .isLessThan(Duration.ofSeconds(8));
      blocker.rollback();
    }
    assertThat(total()).isEqualTo(42);
  }

  /// Alternates between the locked account and the free one.
  private List<CompletableFuture<Long>> mixed(int ofEach) {
    return IntStream.range(0, 2 * ofEach)
        .mapToObj(i -> pay(i % 2 == 0 ? "locked" : "free", 1))
        .toList();
  }

  @Test
  void submit_whileAKeyPauses_othersShareTheirTransaction() throws SQLException {
    pay("locked", 1).join();
    try (Connection blocker = DriverManager.getConnection(DATABASE.url())) {
      blocker.setAutoCommit(false);
      lock(blocker, "locked");
      awaitLongPause();
      payments.batches.clear();
      List<CompletableFuture<Long>> paid = together(() -> mixed(10));
      for (int i = 0; i < 10; i++) {
        assertThat(code(paid.get(2 * i))).isEqualTo("row.locked");
        assertThat(paid.get(2 * i + 1).join()).isEqualTo(1);
      }
      assertThat(payments.batches).containsExactly(1, 10);
      blocker.rollback();
    }
  }

  @Test
  void submit_rowUnlockedAfterAPause_isApplied() throws SQLException {
    pay("locked", 1).join();
    try (Connection blocker = DriverManager.getConnection(DATABASE.url())) {
      blocker.setAutoCommit(false);
      lock(blocker, "locked");
      assertThat(code(pay("locked", 1))).isEqualTo("row.locked");
      blocker.rollback();
    }
    await()
        .atMost(30, TimeUnit.SECONDS)
        .until(() -> pay("locked", 5).handle((paid, failure) -> failure == null).join());
    assertThat(total()).isEqualTo(6);
  }

  /// Waits until the pause is longer than the test's next steps take.
  private void awaitLongPause() {
    for (int attempts = 0; attempts < 5; ) {
      int before = payments.batches.size();
      assertThat(code(pay("locked", 1))).isEqualTo("row.locked");
      if (payments.batches.size() > before) {
        attempts++;
      }
    }
  }

  @Test
  void submit_severalLanes_keepsTheOrderOfEachAccount() {
    coalescer.close();
    coalescer = coalescer(4, 20_000);
    Map<String, List<Long>> sent = new HashMap<>();
    List<CompletableFuture<Long>> paid = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      Payment payment = Payment.of("spread" + i % 30, 1);
      sent.computeIfAbsent(payment.account(), a -> new ArrayList<>()).add(payment.token());
      paid.add(coalescer.submit(payment));
    }
    paid.forEach(CompletableFuture::join);
    assertThat(tokensByAccount()).isEqualTo(sent);
  }

  @Test
  void submit_tooManyWait_failsWithExhaustedAndTheOthersAreApplied() {
    coalescer.close();
    coalescer = coalescer(new CoalescerSettings("payments", ShardMap.single(), 1, 100, 3));
    List<CompletableFuture<Long>> paid =
        together(() -> IntStream.range(0, 5).mapToObj(i -> pay("account", 1)).toList());
    assertThat(kind(paid.get(3))).isEqualTo("EXHAUSTED");
    assertThat(kind(paid.get(4))).isEqualTo("EXHAUSTED");
    assertThat(paid.get(2).join()).isEqualTo(1);
    assertThat(total()).isEqualTo(3);
  }

  @Test
  void close_withItemsWaiting_appliesThem() throws InterruptedException {
    payments.gate = new CountDownLatch(1);
    List<CompletableFuture<Long>> paid =
        IntStream.range(0, 100).mapToObj(i -> pay("account", 1)).toList();
    Thread closing = Thread.ofPlatform().start(coalescer::close);
    payments.gate.countDown();
    assertThat(closing.join(Duration.ofSeconds(20))).isTrue();
    assertThat(paid).allMatch(CompletableFuture::isDone);
    assertThat(kind(pay("account", 1))).isEqualTo("UNAVAILABLE");
    assertThat(total()).isEqualTo(100);
  }

  @Test
  void submit_connectionDiesBeforeCommitIsReceived_isUnavailableAndNotApplied() {
    cutter.cutNext(Cut.BEFORE_COMMIT);
    List<CompletableFuture<Long>> paid = payTogether(List.of(1L, 2L));
    assertThat(code(paid.get(0))).isEqualTo("commit.unknown");
    assertThat(code(paid.get(1))).isEqualTo("commit.unknown");
    assertThat(total()).isZero();
    assertThat(pay("account", 5).join()).isEqualTo(5);
  }

  @Test
  void submit_connectionDiesAfterCommit_isResolvedFromTheRowsAndAppliedOnce() {
    cutter.cutNext(Cut.AFTER_COMMIT);
    List<CompletableFuture<Long>> paid = payTogether(List.of(1L, 2L, 3L));
    assertThat(paid.stream().map(CompletableFuture::join)).containsExactly(1L, 2L, 3L);
    assertThat(total()).isEqualTo(6);
    assertThat(payments.searches).hasPositiveValue();
  }

  @Test
  void submit_connectionDiesAtCommitAndNoOtherIsAvailable_isUnavailable() {
    pay("account", 1).join();
    cutter.refuseConnections(true);
    cutter.cutNext(Cut.AFTER_COMMIT);
    database.close();
    database = Database.connect(cutter.url(), 1);
    coalescer.close();
    coalescer = coalescer(1, 100);
    assertThat(code(pay("account", 2))).isEqualTo("commit.unknown");
    assertThat(total()).isEqualTo(3);
  }

  /// Wherever a connection is cut, nothing is applied twice, an acknowledged item is stored and a
  /// refused one is not.
  @Test
  void submit_connectionsKeepDyingAtCommit_appliesOnceAndReportsTrueOutcomes() {
    coalescer.close();
    coalescer = coalescer(3, 20_000);
    Random random = new Random(42);
    Map<Payment, CompletableFuture<Long>> paid = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      if (i % 100 == 0) {
        cutter.cutNext(random.nextBoolean() ? Cut.BEFORE_COMMIT : Cut.AFTER_COMMIT);
      }
      Payment payment = Payment.of("spread" + random.nextInt(20), i % 7 == 0 ? -1 : 1);
      paid.put(payment, coalescer.submit(payment));
      if (i % 20 == 0) {
        paid.get(payment).handle((value, failure) -> value).join();
      }
    }
    coalescer.close();
    Map<Long, Integer> times = timesByToken();
    assertThat(cutter.cuts()).isGreaterThan(5);
    paid.forEach(
        (payment, future) -> assertOutcomeIsTrue(future, times.getOrDefault(payment.token(), 0)));
    assertThat(total()).isEqualTo(times.size());
  }

  private static void assertOutcomeIsTrue(CompletableFuture<Long> future, int times) {
    if (!future.isCompletedExceptionally()) {
      assertThat(times).isEqualTo(1);
    } else if (kind(future).equals("INVALID")) {
      assertThat(times).isZero();
    } else {
      assertThat(kind(future)).isEqualTo("UNAVAILABLE");
      assertThat(times).isLessThanOrEqualTo(1);
    }
  }

  private WriteCoalescer<Payment, Long> coalescer(int lanes, int capacity) {
    return coalescer(CoalescerSettings.of("payments", database, lanes).withCapacity(capacity));
  }

  private WriteCoalescer<Payment, Long> coalescer(CoalescerSettings settings) {
    return new WriteCoalescer<>(settings, database, payments, new SimpleMeterRegistry());
  }

  private CompletableFuture<Long> pay(String account, long amount) {
    return coalescer.submit(Payment.of(account, amount));
  }

  private List<CompletableFuture<Long>> payTogether(List<Long> amounts) {
    return together(() -> amounts.stream().map(amount -> pay("account" + amount, amount)).toList());
  }

  /// Submits while a first, broken payment holds the lane, so that the others become one batch.
  private List<CompletableFuture<Long>> together(Supplier<List<CompletableFuture<Long>>> submits) {
    int before = payments.batches.size();
    payments.gate = new CountDownLatch(1);
    var _ = pay("first", PaymentHandler.BREAKS_THE_HANDLER);
    await().atMost(30, TimeUnit.SECONDS).until(() -> payments.batches.size() > before);
    List<CompletableFuture<Long>> submitted = submits.get();
    payments.gate.countDown();
    return submitted;
  }

  private static void lock(Connection connection, String account) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "UPDATE account SET total = total WHERE home = ? AND name = ?")) {
      statement.setInt(1, PaymentHandler.homeOf(account).number());
      statement.setString(2, account);
      assertThat(statement.executeUpdate()).isEqualTo(1);
    }
  }

  private long total() {
    return direct
        .read(tx -> tx.sql("SELECT coalesce(sum(total), 0) FROM account").first(r -> r.longAt(1)))
        .orElseThrow();
  }

  private Map<Long, Integer> timesByToken() {
    Map<Long, Integer> times = new HashMap<>();
    direct.read(
        tx -> {
          tx.sql("SELECT token FROM entry")
              .each(row -> times.merge(row.longAt(1), 1, Integer::sum));
          return times;
        });
    return times;
  }

  private Map<String, List<Long>> tokensByAccount() {
    Map<String, List<Long>> tokens = new HashMap<>();
    direct.read(
        tx -> {
          tx.sql("SELECT name, token FROM entry ORDER BY position")
              .each(
                  row ->
                      tokens
                          .computeIfAbsent(row.textAt(1), a -> new ArrayList<>())
                          .add(row.longAt(2)));
          return tokens;
        });
    return tokens;
  }

  private static String kind(CompletableFuture<?> future) {
    return failure(future).kind().name();
  }

  private static String code(CompletableFuture<?> future) {
    return failure(future).code();
  }

  private static Failure failure(CompletableFuture<?> future) {
    try {
      throw new AssertionError("did not fail but gave " + future.join());
    } catch (CompletionException e) {
      return (Failure) e.getCause();
    }
  }
}
