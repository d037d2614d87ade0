package dev.torg.promotions.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.Money;
import dev.torg.platform.db.Database;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PaymentOutcome;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.StoredPayment;
import dev.torg.testkit.TestClock;
import dev.torg.testkit.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TopUpHandlerIT {
  @RegisterExtension static final TestDatabase TABLES = LedgerTables.fresh();

  private final Database database = Database.connect(TABLES.url(), 4);
  private final TestClock clock = new TestClock();
  private final LedgerStore ledger = new LedgerStore((_, _) -> {});
  private final TopUpHandler handler = new TopUpHandler(ledger);
  private final LedgerReader reader = new LedgerReader(database);
  private final String seller = LedgerTables.newSeller();

  @AfterEach
  void close() {
    assertThat(new LedgerAudit(database).findings(Home.of(seller))).isEmpty();
    database.close();
  }

  private StoredPayment payment(String key, long cents) {
    Money total = new Money(cents, "EUR");
    return new StoredPayment(
        PaymentId.of(Home.of(seller), seller, TopUpHandler.PURPOSE, key),
        seller,
        TopUpHandler.PURPOSE,
        seller,
        PaymentStatus.PAID,
        "sandbox",
        Optional.empty(),
        Optional.empty(),
        total,
        0,
        0,
        Optional.empty(),
        TestClock.START,
        "Top-up",
        List.of(PaymentLine.of("Top-up", total)));
  }

  private Map<PaymentId, PaymentOutcome> deliver(StoredPayment... payments) {
    List<StoredPayment> all = List.of(payments);
    return database.inTransaction(tx -> handler.prepare(all).deliver(tx, all, clock.instant()));
  }

  private void takeBack(StoredPayment payment) {
    database.transact(tx -> handler.takeBack(tx, payment, clock.instant()));
  }

  @Test
  void paidPayments_areOnTheBalanceOnce() {
    StoredPayment one = payment("one", 500);
    StoredPayment two = payment("two", 700);
    assertThat(deliver(one, two).values()).containsOnly(new PaymentOutcome.Delivered());
    assertThat(deliver(one).values()).containsOnly(new PaymentOutcome.Delivered());
    assertThat(reader.balances(seller)).containsExactly(new Money(1_200, "EUR"));
  }

  @Test
  void paymentBeyondTheLimitOfABalance_isNotDelivered() {
    deliver(payment("one", Money.MAX_AMOUNT));
    assertThat(deliver(payment("two", 1)).values())
        .hasOnlyElementsOfType(PaymentOutcome.NotDelivered.class);
    assertThat(reader.balances(seller)).containsExactly(new Money(Money.MAX_AMOUNT, "EUR"));
  }

  @Test
  void takeBack_returnsWhatIsOnTheBalance_once() {
    StoredPayment payment = payment("one", 500);
    deliver(payment);
    takeBack(payment);
    takeBack(payment);
    assertThat(reader.balances(seller)).containsExactly(new Money(0, "EUR"));
  }

  @Test
  void takeBack_ofSpentMoney_isRefused() {
    StoredPayment payment = payment("one", 500);
    deliver(payment);
    database.transact(
        tx ->
            ledger.post(
                tx,
                List.of(
                    Posting.of(LedgerEntry.charge(seller, new Money(1, "EUR"), "c1", "premium"))),
                clock.instant()));
    assertThatThrownBy(() -> takeBack(payment))
        .isInstanceOf(Failure.class)
        .extracting("code")
        .isEqualTo("payment.not-refundable");
    assertThat(reader.balances(seller)).containsExactly(new Money(499, "EUR"));
  }
}
