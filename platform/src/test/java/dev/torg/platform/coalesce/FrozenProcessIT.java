package dev.torg.platform.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.torg.platform.coalesce.PaymentHandler.Payment;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.testkit.ChildProcess;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A real process is suspended inside a transaction and keeps a row locked.
@Tag("skip-fake-citus")
@Execution(ExecutionMode.CONCURRENT)
class FrozenProcessIT {
  private static final Duration STARTED = Duration.ofSeconds(60);

  /// From the last statement of the suspended process; without session settings the server would
  /// wait for a minute.
  private static final Duration RELEASED = Duration.ofSeconds(40);

  @RegisterExtension
  static final TestDatabase DATABASE =
      TestDatabase.fresh("ledger", Migrations.of("ledger")::migrate);

  @Test
  void freeze_holdingARowLock_isReleasedAndOthersDoNotWaitForIt() {
    try (Database database = Database.connect(DATABASE.url(), 4);
        WriteCoalescer<Payment, Long> coalescer =
            new WriteCoalescer<>(
                CoalescerSettings.of("payments", database, 1),
                database,
                new PaymentHandler(),
                new SimpleMeterRegistry())) {
      pay(coalescer, "locked").join();
      try (ChildProcess frozen = ChildProcess.start(HoldRowLock.class, DATABASE.url(), "locked")) {
        await().atMost(STARTED).until(() -> frozen.lines().contains(HoldRowLock.LOCKED));
        frozen.freeze();
        long startNanos = System.nanoTime();
        assertThat(isPaid(coalescer, "locked")).isFalse();
        await()
            .atMost(RELEASED)
            .until(
                () -> {
                  assertThat(isPaid(coalescer, "free")).isTrue();
                  return isPaid(coalescer, "locked");
                });
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(RELEASED);
      }
    }
  }

  private static boolean isPaid(WriteCoalescer<Payment, Long> coalescer, String account) {
    return pay(coalescer, account).handle((paid, failure) -> failure == null).join();
  }

  private static CompletableFuture<Long> pay(
      WriteCoalescer<Payment, Long> coalescer, String account) {
    return coalescer.submit(Payment.of(account, 1));
  }
}
