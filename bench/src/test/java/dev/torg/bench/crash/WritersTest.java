package dev.torg.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.bench.process.ApiClient;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class WritersTest {
  private final WriteLedger ledger = new WriteLedger();

  @Test
  void write_livingServerFails_isCountedWithItsReason() throws Exception {
    FakeApi api =
        new FakeApi(
            503, "{\"code\":\"db.unavailable\",\"detail\":\"the database is unavailable\"}");
    try (api;
        ApiClient client = api.client()) {
      Writers writers = Writers.start(client, ledger, 1);
      await(() -> ledger.failures() >= 2L * Writers.sellers());
      writers.expectTheEnd();
      api.close();
      writers.awaitEnd();
    }
    assertThat(ledger.reasons()).contains("the database is unavailable");
    assertThat(ledger.size()).isZero();
  }

  @Test
  void write_serverEndsAsExpected_isNoFailure() throws Exception {
    FakeApi api = new FakeApi(200, "{\"id\":\"1\",\"version\":\"1\",\"title\":\"t\"}");
    try (api;
        ApiClient client = api.client()) {
      Writers writers = Writers.start(client, ledger, 1);
      await(() -> ledger.size() > 0);
      writers.expectTheEnd();
      api.close();
      writers.awaitEnd();
    }
    assertThat(ledger.failures()).isZero();
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }
}
