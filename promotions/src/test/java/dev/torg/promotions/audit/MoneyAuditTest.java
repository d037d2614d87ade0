package dev.torg.promotions.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.audit.MoneySnapshot.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A home in which everything is right, and each way to corrupt it.
class MoneyAuditTest {
  private static List<MoneyFinding> check(SampleMoney money) {
    return MoneyAudit.knowing(_ -> true).check(money.snapshot());
  }

  @Test
  void rightHome_hasNoFindings() {
    assertThat(check(new SampleMoney())).isEmpty();
  }

  @Test
  void unknownHistory_allowsWhatABanExplains() {
    SampleMoney money = new SampleMoney();
    money.promotions.remove("premium");
    money.expiries.remove("premium");
    assertThat(check(money)).isNotEmpty();
    assertThat(MoneyAudit.ofAnyHistory().check(money.snapshot())).isEmpty();
  }

  private static Arguments corruption(
      String name, MoneyProblem problem, Consumer<SampleMoney> change) {
    return Arguments.of(name, problem, change);
  }

  static Stream<Arguments> corruptions() {
    return Stream.of(
        corruption("webhooks wait", MoneyProblem.UNSETTLED, money -> money.queued = 1),
        corruption(
            "paid at the provider, still pending",
            MoneyProblem.UNSETTLED,
            money -> money.provider("pending").isPaid = true),
        corruption(
            "paid late, declined before",
            MoneyProblem.UNSETTLED,
            money -> {
              money.payment("pending").status = PaymentStatus.DECLINED;
              money.payment("pending").transitions = List.of(PaymentStatus.DECLINED);
              money.provider("pending").isPaid = true;
            }),
        corruption(
            "a refund is due",
            MoneyProblem.UNSETTLED,
            money -> {
              money.payment("refunded").status = PaymentStatus.REFUND_DUE;
              money.payment("refunded").transitions =
                  List.of(PaymentStatus.PAID, PaymentStatus.REFUND_DUE);
              money.payment("refunded").refunded = 0;
              money.payment("refunded").refundDue = 500;
              money.provider("refunded").refunded = 0;
              money.refunds.remove("refunded");
            }),
        corruption(
            "a service is over",
            MoneyProblem.UNSETTLED,
            money -> money.now = money.now.plus(Duration.ofDays(2))),
        corruption(
            "a paid payment has vanished",
            MoneyProblem.PAYMENT_LOST,
            money -> money.payments.remove("top-up")),
        corruption(
            "applied, but not paid",
            MoneyProblem.NOT_PAID,
            money -> money.provider("applied").isPaid = false),
        corruption(
            "applied, but unknown to the provider",
            MoneyProblem.NOT_PAID,
            money -> money.providers.remove("applied")),
        corruption(
            "another amount at the provider",
            MoneyProblem.WRONG_AMOUNT,
            money -> money.provider("applied").amount = 1),
        corruption(
            "another currency at the provider",
            MoneyProblem.WRONG_AMOUNT,
            money -> money.provider("applied").currency = "USD"),
        corruption(
            "paid, neither applied nor returned",
            MoneyProblem.NOT_ACCOUNTED,
            money -> money.applications.remove("applied")),
        corruption(
            "applied and returned",
            MoneyProblem.NOT_ACCOUNTED,
            money -> money.application("refunded").outcome = Outcome.APPLIED),
        corruption(
            "returned in the applications only",
            MoneyProblem.NOT_ACCOUNTED,
            money -> money.application("applied").outcome = Outcome.REFUNDED),
        corruption(
            "applied for another amount",
            MoneyProblem.NOT_ACCOUNTED,
            money -> money.application("applied").amount = 1),
        corruption(
            "applied, but pending",
            MoneyProblem.NOT_ACCOUNTED,
            money -> money.application("pending", "raise", 300)),
        corruption(
            "an application of no payment",
            MoneyProblem.NOT_ACCOUNTED,
            money -> money.application("nothing", "raise", 300)),
        corruption(
            "a top-up that is not on the balance",
            MoneyProblem.NOT_ACCOUNTED,
            money -> money.entries.remove("top-up")),
        corruption(
            "a top-up that is on the balance twice",
            MoneyProblem.NOT_ACCOUNTED,
            money -> money.topUp("again", "top-up", 1_000)),
        corruption(
            "refunded in part only",
            MoneyProblem.NOT_ACCOUNTED,
            money -> money.payment("refunded").refunded = 400),
        corruption(
            "returned here, not at the provider",
            MoneyProblem.WRONG_REFUND,
            money -> {
              money.provider("refunded").refunded = 0;
              money.refunds.remove("refunded");
            }),
        corruption(
            "returned at the provider, not here",
            MoneyProblem.WRONG_REFUND,
            money -> {
              money.provider("applied").refunded = 500;
              money.refunds.put("applied", 500L);
            }),
        corruption(
            "the provider's refunds do not sum up",
            MoneyProblem.WRONG_REFUND,
            money -> money.refunds.put("refunded", 400L)),
        corruption(
            "a transition is missing",
            MoneyProblem.WRONG_AUDIT,
            money -> money.payment("applied").transitions = List.of(PaymentStatus.PAID)),
        corruption(
            "a transition that is not allowed",
            MoneyProblem.WRONG_AUDIT,
            money -> money.payment("applied").transitions = List.of(PaymentStatus.APPLIED)),
        corruption(
            "an entry does not balance",
            MoneyProblem.UNBALANCED_ENTRY,
            money -> money.entry("charge").contra = 299),
        corruption(
            "an entry has one leg",
            MoneyProblem.UNBALANCED_ENTRY,
            money -> money.entry("charge").contra = 0),
        corruption(
            "a balance is not the sum", MoneyProblem.WRONG_BALANCE, money -> money.balance++),
        corruption(
            "a balance was negative in between",
            MoneyProblem.WRONG_BALANCE,
            money -> {
              money.entry("charge").id = 2;
              money.entry("top-up").id = 3;
            }),
        corruption(
            "more than a charge is returned",
            MoneyProblem.EXCESSIVE_LEDGER_REFUND,
            money -> money.refund("refund", "charge", 301)),
        corruption(
            "a charge that does not exist is returned",
            MoneyProblem.EXCESSIVE_LEDGER_REFUND,
            money -> money.refund("refund", "nothing", 1)),
        corruption(
            "a top-up without a payment",
            MoneyProblem.UNPAID_TOP_UP,
            money -> money.topUp("free", "nothing", 100)),
        corruption(
            "an active service without a payment",
            MoneyProblem.UNPAID_PROMOTION,
            money -> money.promotion("highlight", "nothing")),
        corruption(
            "an active service of a returned payment",
            MoneyProblem.UNPAID_PROMOTION,
            money -> money.promotion("highlight", "refunded")),
        corruption(
            "an active service that runs too long",
            MoneyProblem.WRONG_TIMES,
            money -> {
              var row = money.promotions.get("premium");
              row.until = row.until.plusSeconds(1);
              money.expiries.put("premium", row.until);
            }),
        corruption(
            "nothing ends a service",
            MoneyProblem.NO_EXPIRY,
            money -> money.expiries.remove("premium")),
        corruption(
            "a service of a banned offer",
            MoneyProblem.PROMOTED_AFTER_END,
            money -> money.hasEnded = true),
        corruption(
            "a paid service is not active",
            MoneyProblem.MISSING_PROMOTION,
            money -> money.promotions.remove("premium")),
        corruption(
            "two payments applied for one service",
            MoneyProblem.TWO_PURCHASES,
            money -> money.promotionPayment("second", "premium", 500)),
        corruption(
            "a charge while the service is active",
            MoneyProblem.TWO_PURCHASES,
            money -> money.charge("double", "premium", 300)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("corruptions")
  void corruption_isFound(String name, MoneyProblem problem, Consumer<SampleMoney> change) {
    SampleMoney money = new SampleMoney();
    change.accept(money);
    assertThat(check(money)).as(name).extracting(MoneyFinding::problem).contains(problem);
  }
}
