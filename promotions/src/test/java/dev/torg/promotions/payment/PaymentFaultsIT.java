package dev.torg.promotions.payment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Home;
import dev.torg.platform.lease.Lease;
import dev.torg.promotions.audit.MoneyAudit;
import dev.torg.promotions.audit.MoneyFinding;
import dev.torg.promotions.audit.MoneySnapshot;
import dev.torg.promotions.audit.MoneySnapshot.ProviderPayment;
import dev.torg.promotions.audit.MoneySnapshot.ProviderRefund;
import dev.torg.promotions.audit.MoneyTables;
import dev.torg.testkit.CommitCuttingProxy;
import dev.torg.testkit.CommitCuttingProxy.Cut;
import dev.torg.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A process goes through purchases, webhooks, applications, refunds, a top-up and expiries, and is killed once: at each
/// statement of the database and at each call of the provider, before and after it. Another process then continues with
/// what clients, the provider and jobs repeat anyway, and everything is recomputed.
class PaymentFaultsIT {
  private static final TestDatabase TABLES = PaymentsFixture.tables();
  private static final Home HOME = new Home(17);
  private static final Duration RUN = Duration.ofSeconds(60);

  /// More statements and calls than a run has.
  private static final int MAX_FAULTS = 2_000;

  private static PaymentsFixture survivor;
  private static int sellers;

  @BeforeAll
  static void start() {
    survivor = new PaymentsFixture(TABLES.url());
  }

  @AfterAll
  static void end() {
    survivor.close();
  }

  /// The sellers have the same home: one lease suffices.
  private static String seller() {
    String seller;
    do {
      seller = "user:fault-" + sellers++;
    } while (!Home.of(seller).equals(HOME));
    return seller;
  }

  @ParameterizedTest
  @EnumSource(
      value = Cut.class,
      names = {"BEFORE_COMMIT", "AFTER_COMMIT"})
  void killedAtAnyStatement_everythingIsAccountedFor(Cut cut) throws Exception {
    int statement = 1;
    while (kill(statement, 0, cut)) {
      statement++;
    }
    assertThat(statement).isBetween(50, MAX_FAULTS);
  }

  @ParameterizedTest
  @EnumSource(
      value = Cut.class,
      names = {"BEFORE_COMMIT", "AFTER_COMMIT"})
  void killedAtAnyCallOfTheProvider_everythingIsAccountedFor(Cut cut) throws Exception {
    int call = 1;
    while (kill(0, call, cut)) {
      call++;
    }
    assertThat(call).isBetween(6, MAX_FAULTS);
  }

  /// Returns false if the process ended before it was to be killed.
  private static boolean kill(int statement, int call, Cut cut) throws Exception {
    String seller = seller();
    PaymentScript script =
        new PaymentScript(seller, List.of(survivor.offer(seller), survivor.offer(seller)));
    try (CommitCuttingProxy proxy = CommitCuttingProxy.inFrontOf(TABLES.url())) {
      MortalProvider provider = new MortalProvider(survivor.provider, proxy, call, cut);
      PaymentsFixture victim = new PaymentsFixture(proxy.url(), survivor, provider);
      if (statement > 0) {
        proxy.killAt(statement, cut);
      }
      Lease lease = survivor.lease(HOME);
      CompletableFuture<Void> life =
          CompletableFuture.runAsync(
              () -> script.run(victim, lease), run -> Thread.ofVirtual().start(run));
      awaitEnd(life, proxy);
      boolean wasKilled = proxy.isKilled();
      Thread.ofVirtual().start(victim::close);
      script.run(survivor, lease);
      script.settle(survivor, lease);
      assertThat(findings()).as("killed at %d, %d, %s", statement, call, cut).isEmpty();
      return wasKilled;
    }
  }

  /// A process that cannot reach the database any more would try for seconds: it is dead at once.
  private static void awaitEnd(CompletableFuture<Void> life, CommitCuttingProxy proxy)
      throws InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + RUN.toNanos();
    while (!life.isDone() && !proxy.isKilled()) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException("neither done nor killed after " + RUN);
      }
      try {
        life.get(5, TimeUnit.MILLISECONDS);
      } catch (ExecutionException | TimeoutException e) {
        // Killed, or still running.
      }
    }
    if (life.isCompletedExceptionally() && !proxy.isKilled()) {
      life.join();
    }
  }

  private static List<MoneyFinding> findings() {
    MoneySnapshot read = new MoneyTables(survivor.database).read(HOME, survivor.clock.instant());
    return MoneyAudit.knowing(_ -> true).check(withProvider(read));
  }

  /// The provider of the test instead of the sandbox, whose payments the tables contain.
  private static MoneySnapshot withProvider(MoneySnapshot read) {
    List<ProviderPayment> payments =
        survivor.provider.payments().entrySet().stream()
            .filter(payment -> payment.getKey().home().equals(HOME))
            .map(
                payment ->
                    new ProviderPayment(
                        payment.getKey().text(),
                        payment.getValue().state()
                            == dev.torg.promotions.provider.ProviderPayment.State.PAID,
                        payment.getValue().amount().orElseThrow().amount(),
                        payment.getValue().amount().orElseThrow().currency(),
                        survivor.provider.refunded(payment.getKey())))
            .toList();
    return new MoneySnapshot(
        read.now(),
        read.payments().stream().map(PaymentFaultsIT::ofSandbox).toList(),
        read.transitions(),
        read.applications(),
        payments,
        payments.stream()
            .filter(payment -> payment.refunded() > 0)
            .map(payment -> new ProviderRefund(payment.id(), payment.refunded()))
            .toList(),
        read.accounts(),
        read.legs(),
        read.targets(),
        read.promotions(),
        read.expiries(),
        read.queued());
  }

  private static MoneySnapshot.Payment ofSandbox(MoneySnapshot.Payment payment) {
    return new MoneySnapshot.Payment(
        payment.id(),
        payment.payer(),
        payment.purpose(),
        payment.reference(),
        payment.status(),
        "sandbox",
        payment.total(),
        payment.currency(),
        payment.refundDue(),
        payment.refunded(),
        payment.audits(),
        payment.lines());
  }
}
