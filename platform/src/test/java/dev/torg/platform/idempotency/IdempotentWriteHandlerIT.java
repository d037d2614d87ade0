package dev.torg.platform.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.primitives.Longs;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.coalesce.CoalescerSettings;
import dev.torg.platform.coalesce.PaymentHandler;
import dev.torg.platform.coalesce.PaymentHandler.Payment;
import dev.torg.platform.coalesce.WriteCoalescer;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.testkit.CommitCuttingProxy;
import dev.torg.testkit.CommitCuttingProxy.Cut;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Idempotency keys inside coalesced batches.
@Timeout(60)
class IdempotentWriteHandlerIT {
  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("platform+ledger", Migrations.of("platform", "ledger")::migrate);

  private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

  private static final ResponseCodec<Long> CODEC =
      new ResponseCodec<>() {
        @Override
        public byte[] encode(Long response) {
          return Longs.toByteArray(response);
        }

        @Override
        public Long decode(byte[] bytes) {
          return Longs.fromByteArray(bytes);
        }
      };

  private final PaymentHandler payments = new PaymentHandler();
  private final Map<Long, String> keys = new ConcurrentHashMap<>();
  private CommitCuttingProxy cutter;
  private Database database;
  private Database direct;
  private WriteCoalescer<Payment, Long> coalescer;

  @BeforeEach
  void open() {
    cutter = CommitCuttingProxy.inFrontOf(DATABASE.url());
    database = Database.connect(cutter.url(), 3);
    direct = Database.connect(DATABASE.url(), 1);
    for (String table : List.of("account", "entry", "idempotency")) {
      direct.inTransaction(tx -> tx.sql("TRUNCATE " + table).update());
    }
    coalescer =
        new WriteCoalescer<>(
            CoalescerSettings.of("payments", database, 1),
            database,
            new IdempotentWriteHandler<>(payments, new IdempotencyStore(), this::request, CODEC),
            new SimpleMeterRegistry());
  }

  @AfterEach
  void close() {
    coalescer.close();
    database.close();
    direct.close();
    cutter.close();
  }

  @Test
  void submit_sameKeyOneAfterAnother_appliesOnceWithOneResult() {
    assertThat(pay("a", 5, "key").join()).isEqualTo(5);
    assertThat(pay("a", 5, "key").join()).isEqualTo(5);
    assertThat(total()).isEqualTo(5);
  }

  @Test
  void submit_mixedBatch_eachGetsItsOwnResult() {
    pay("a", 5, "old").join();
    List<CompletableFuture<Long>> paid =
        together(
            () -> {
              List<CompletableFuture<Long>> all = new ArrayList<>();
              all.add(pay("a", 5, "old"));
              all.add(pay("a", 1, ""));
              all.add(pay("a", 7, "new"));
              all.add(pay("a", 7, "new"));
              all.add(pay("a", 8, "new"));
              all.add(pay("a", 9, "old"));
              all.add(pay("b", -1, "refused"));
              all.add(pay("b", 2, "other"));
              return all;
            });
    assertThat(paid.get(0).join()).isEqualTo(5);
    assertThat(paid.get(1).join()).isEqualTo(1);
    assertThat(paid.get(2).join()).isEqualTo(7);
    assertThat(paid.get(3).join()).isEqualTo(7);
    assertThat(kind(paid.get(4))).isEqualTo("CONFLICT");
    assertThat(kind(paid.get(5))).isEqualTo("CONFLICT");
    assertThat(kind(paid.get(6))).isEqualTo("INVALID");
    assertThat(paid.get(7).join()).isEqualTo(2);
    assertThat(total()).isEqualTo(5 + 1 + 7 + 2);
  }

  @Test
  void submit_refusedThenCorrectedWithTheSameKey_isApplied() {
    assertThat(kind(pay("a", -1, "key"))).isEqualTo("INVALID");
    assertThat(pay("a", 1, "key").join()).isEqualTo(1);
  }

  @Test
  void submit_commitResponseLost_returnsTheStoredResponse() {
    cutter.cutNext(Cut.AFTER_COMMIT);
    assertThat(pay("a", 3, "key").join()).isEqualTo(3);
    assertThat(payments.searches).hasValue(0);
    assertThat(pay("a", 3, "key").join()).isEqualTo(3);
    assertThat(total()).isEqualTo(3);
  }

  @Test
  void submit_commitResponseLost_callerRetriesByItsKeyAndIsAppliedOnce() {
    cutter.cutNext(Cut.BEFORE_COMMIT);
    assertThat(kind(pay("a", 3, "key"))).isEqualTo("UNAVAILABLE");
    assertThat(pay("a", 3, "key").join()).isEqualTo(3);
    assertThat(total()).isEqualTo(3);
  }

  private CompletableFuture<Long> pay(String account, long amount, String key) {
    Payment payment = Payment.of(account, amount);
    keys.put(payment.token(), key);
    return coalescer.submit(payment);
  }

  private Optional<IdempotentRequest> request(Payment payment) {
    String key = keys.getOrDefault(payment.token(), "");
    Home home = payments.home(payment);
    return key.isEmpty()
        ? Optional.empty()
        : Optional.of(
            IdempotentRequest.of(
                home, "user:1", "Pay", key, Longs.toByteArray(payment.amount()), NOW));
  }

  private List<CompletableFuture<Long>> together(Supplier<List<CompletableFuture<Long>>> submits) {
    int before = payments.batches.size();
    payments.gate = new CountDownLatch(1);
    var _ = pay("first", PaymentHandler.BREAKS_THE_HANDLER, "");
    await().atMost(30, TimeUnit.SECONDS).until(() -> payments.batches.size() > before);
    List<CompletableFuture<Long>> submitted = submits.get();
    payments.gate.countDown();
    return submitted;
  }

  private long total() {
    return direct
        .read(tx -> tx.sql("SELECT coalesce(sum(total), 0) FROM account").first(r -> r.longAt(1)))
        .orElseThrow();
  }

  private static String kind(CompletableFuture<?> future) {
    try {
      throw new AssertionError("did not fail but gave " + future.join());
    } catch (CompletionException e) {
      return ((Failure) e.getCause()).kind().name();
    }
  }
}
