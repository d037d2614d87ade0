package dev.torg.promotions.audit;

import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.apply.PromotionPaymentHandler;
import dev.torg.promotions.audit.MoneySnapshot.Application;
import dev.torg.promotions.audit.MoneySnapshot.EntryKind;
import dev.torg.promotions.audit.MoneySnapshot.Leg;
import dev.torg.promotions.audit.MoneySnapshot.Outcome;
import dev.torg.promotions.audit.MoneySnapshot.Payment;
import dev.torg.promotions.audit.MoneySnapshot.ProviderPayment;
import dev.torg.promotions.audit.MoneySnapshot.ProviderRefund;
import dev.torg.promotions.audit.MoneySnapshot.Transition;
import dev.torg.promotions.ledger.TopUpHandler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Each payment against the provider, its applications, the ledger and its transitions.
final class PaymentChecks {
  private static final String SANDBOX = "sandbox";

  private final MoneySnapshot snapshot;
  private final List<MoneyFinding> findings;
  private final Map<String, ProviderPayment> known = new HashMap<>();
  private final Map<String, List<Application>> applications;
  private final Map<String, List<Transition>> transitions;
  private final Map<String, Long> providerRefunds;
  private final Map<String, List<Leg>> balanceLegs;

  PaymentChecks(MoneySnapshot snapshot, List<MoneyFinding> findings) {
    this.snapshot = snapshot;
    this.findings = findings;
    snapshot.providerPayments().forEach(payment -> known.put(payment.id(), payment));
    this.applications =
        snapshot.applications().stream().collect(Collectors.groupingBy(Application::payment));
    this.transitions =
        snapshot.transitions().stream().collect(Collectors.groupingBy(Transition::payment));
    this.balanceLegs =
        snapshot.legs().stream()
            .filter(Leg::isBalance)
            .collect(Collectors.groupingBy(Leg::reference));
    this.providerRefunds =
        snapshot.providerRefunds().stream()
            .collect(
                Collectors.groupingBy(
                    ProviderRefund::payment, Collectors.summingLong(ProviderRefund::amount)));
  }

  void run() {
    Map<String, Payment> payments = new HashMap<>();
    snapshot.payments().forEach(payment -> payments.put(payment.id(), payment));
    snapshot.providerPayments().forEach(payment -> requireKnown(payment, payments));
    snapshot.applications().stream()
        .map(Application::payment)
        .distinct()
        .filter(id -> !payments.containsKey(id))
        .forEach(id -> add(MoneyProblem.NOT_ACCOUNTED, id + " is applied and does not exist"));
    snapshot.payments().forEach(this::check);
  }

  private void requireKnown(ProviderPayment paid, Map<String, Payment> payments) {
    if (paid.isPaid() && !payments.containsKey(paid.id())) {
      add(MoneyProblem.PAYMENT_LOST, paid.id() + " is paid at the provider and does not exist");
    }
    long refunds = providerRefunds.getOrDefault(paid.id(), 0L);
    if (refunds != paid.refunded()) {
      add(
          MoneyProblem.WRONG_REFUND,
          "%s: the provider states %d returned, its refunds sum to %d"
              .formatted(paid.id(), paid.refunded(), refunds));
    }
  }

  private void check(Payment payment) {
    if (payment.provider().equals(SANDBOX)) {
      checkProvider(payment, known.get(payment.id()));
    }
    if (payment.refundDue() > 0) {
      add(MoneyProblem.UNSETTLED, payment.id() + " has a refund that is due");
    }
    checkReturned(payment);
    switch (payment.purpose()) {
      case PromotionPaymentHandler.PURPOSE -> checkApplied(payment);
      case TopUpHandler.PURPOSE -> checkOnBalance(payment);
      default -> {}
    }
    checkTransitions(payment, transitions.getOrDefault(payment.id(), List.of()));
  }

  private void checkProvider(Payment payment, @Nullable ProviderPayment provider) {
    boolean isPaid = provider != null && provider.isPaid();
    if (payment.wasPaid() && !isPaid) {
      add(MoneyProblem.NOT_PAID, payment.id() + " is " + payment.status() + ", but not paid");
    }
    if (!payment.wasPaid() && isPaid) {
      add(MoneyProblem.UNSETTLED, payment.id() + " is paid and still " + payment.status());
    }
    if (provider != null
        && (provider.amount() != payment.total()
            || !provider.currency().equals(payment.currency()))) {
      add(
          MoneyProblem.WRONG_AMOUNT,
          "%s is of %d %s, at the provider of %d %s"
              .formatted(
                  payment.id(),
                  payment.total(),
                  payment.currency(),
                  provider.amount(),
                  provider.currency()));
    }
    checkRefunded(payment, provider == null ? 0 : provider.refunded());
  }

  /// The provider may be ahead by what is due: the response to the refund has not been recorded yet.
  private void checkRefunded(Payment payment, long atProvider) {
    boolean isAhead = atProvider > payment.refunded() && atProvider <= payment.returned();
    if (atProvider != payment.refunded() && !isAhead) {
      add(
          MoneyProblem.WRONG_REFUND,
          "%s has %d returned, at the provider %d"
              .formatted(payment.id(), payment.refunded(), atProvider));
    }
  }

  private void checkReturned(Payment payment) {
    boolean isReturned =
        payment.status() == PaymentStatus.REFUND_DUE || payment.status() == PaymentStatus.REFUNDED;
    if (isReturned && payment.returned() != payment.total()) {
      add(
          MoneyProblem.NOT_ACCOUNTED,
          "%s is %s with %d of %d"
              .formatted(payment.id(), payment.status(), payment.returned(), payment.total()));
    }
    if (!payment.wasPaid() && payment.returned() > 0) {
      add(MoneyProblem.NOT_ACCOUNTED, payment.id() + " is returned and was never paid");
    }
    if (payment.status() == PaymentStatus.REFUNDED && payment.refundDue() > 0) {
      add(MoneyProblem.NOT_ACCOUNTED, payment.id() + " is REFUNDED with a refund that is due");
    }
  }

  /// Each line has exactly one outcome, and what was not applied is returned.
  private void checkApplied(Payment payment) {
    List<Application> rows = applications.getOrDefault(payment.id(), List.of());
    if (!payment.wasPaid()) {
      if (!rows.isEmpty()) {
        add(MoneyProblem.NOT_ACCOUNTED, payment.id() + " is applied and was not paid");
      }
      return;
    }
    if (!ofRows(rows).equals(ofLines(payment.lines()))) {
      add(
          MoneyProblem.NOT_ACCOUNTED,
          "%s pays for %s, but %s has an outcome"
              .formatted(payment.id(), ofLines(payment.lines()), ofRows(rows)));
    }
    long kept =
        rows.stream()
            .filter(row -> row.outcome() == Outcome.APPLIED)
            .mapToLong(Application::amount)
            .sum();
    if (kept + payment.returned() != payment.total()) {
      add(
          MoneyProblem.NOT_ACCOUNTED,
          "%s of %d: %d is applied and %d returned"
              .formatted(payment.id(), payment.total(), kept, payment.returned()));
    }
  }

  private static List<String> ofLines(List<PaymentLine> lines) {
    return lines.stream()
        .map(line -> line.label() + " " + line.amount().amount())
        .sorted()
        .toList();
  }

  private static List<String> ofRows(List<Application> rows) {
    return rows.stream().map(row -> row.service() + " " + row.amount()).sorted().toList();
  }

  /// What was not returned is on the balance, once.
  private void checkOnBalance(Payment payment) {
    List<Leg> entries =
        balanceLegs.getOrDefault(payment.id(), List.of()).stream()
            .filter(leg -> isOf(payment, leg))
            .toList();
    long credited = entries.stream().mapToLong(Leg::amount).sum();
    long topUps = entries.stream().filter(leg -> leg.kind() == EntryKind.TOP_UP).count();
    long expected = payment.wasPaid() ? payment.total() - payment.returned() : 0;
    if (credited != expected || topUps > 1) {
      add(
          MoneyProblem.NOT_ACCOUNTED,
          "%s: %d is on the balance, by %d top-ups, and should be %d"
              .formatted(payment.id(), credited, topUps, expected));
    }
  }

  private static boolean isOf(Payment payment, Leg leg) {
    return leg.seller().equals(payment.payer())
        && leg.currency().equals(payment.currency())
        && leg.kind() != EntryKind.CHARGE;
  }

  private void checkTransitions(Payment payment, List<Transition> rows) {
    List<Transition> sorted = new ArrayList<>(rows);
    sorted.sort(Comparator.comparingInt(Transition::n));
    PaymentStatus status = PaymentStatus.PENDING;
    boolean isWhole = sorted.size() == payment.audits();
    for (int i = 0; i < sorted.size(); i++) {
      Transition row = sorted.get(i);
      isWhole &= row.n() == i + 1 && row.from() == status;
      isWhole &= row.to() == row.from() || row.from().mayBecome(row.to());
      status = row.to();
    }
    if (!isWhole || status != payment.status()) {
      add(
          MoneyProblem.WRONG_AUDIT,
          "%s is %s, with the transitions %s".formatted(payment.id(), payment.status(), sorted));
    }
  }

  private void add(MoneyProblem problem, String text) {
    findings.add(new MoneyFinding(problem, text));
  }
}
