package dev.torg.promotions.audit;

import dev.torg.platform.Money;
import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.ServiceTerm;
import dev.torg.promotions.audit.MoneySnapshot.EntryKind;
import dev.torg.promotions.audit.MoneySnapshot.Leg;
import dev.torg.promotions.audit.MoneySnapshot.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Money of a seller, right until a test changes it: premium was bought and is active, a second purchase of it was returned,
/// a third payment is pending, and a top-up of 1,000 paid for raise (300).
final class SampleMoney {
  private static final Instant START = Instant.parse("2026-05-04T10:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final String SELLER = "user:1";
  private static final String OFFER = "1";
  private static final String ENTITY = "offer:" + OFFER;

  Instant now = START.plusSeconds(60);
  final Map<String, PaymentRow> payments = new LinkedHashMap<>();
  final Map<String, ProviderRow> providers = new LinkedHashMap<>();
  final Map<String, ApplicationRow> applications = new LinkedHashMap<>();
  final Map<String, Long> refunds = new LinkedHashMap<>();
  final Map<String, EntryRow> entries = new LinkedHashMap<>();
  final Map<String, PromotionRow> promotions = new LinkedHashMap<>();
  final Map<String, Instant> expiries = new LinkedHashMap<>();
  long balance;
  long queued;
  boolean hasEnded;

  static final class PaymentRow {
    final String id;
    final String purpose;
    final List<PaymentLine> lines;
    PaymentStatus status = PaymentStatus.PENDING;
    List<PaymentStatus> transitions = List.of();
    long refundDue;
    long refunded;

    PaymentRow(String id, String purpose, PaymentLine line) {
      this.id = id;
      this.purpose = purpose;
      this.lines = List.of(line);
    }

    private MoneySnapshot.Payment row() {
      Money total = lines.getFirst().amount();
      return new MoneySnapshot.Payment(
          id,
          SELLER,
          purpose,
          OFFER,
          status,
          "sandbox",
          total.amount(),
          total.currency(),
          refundDue,
          refunded,
          transitions.size(),
          lines);
    }
  }

  static final class ProviderRow {
    boolean isPaid;
    long amount;
    String currency = "EUR";
    long refunded;
  }

  static final class ApplicationRow {
    String service = "";
    Outcome outcome = Outcome.APPLIED;
    long amount;
    Instant at = START;
  }

  static final class EntryRow {
    long id;
    EntryKind kind = EntryKind.CHARGE;
    long amount;
    long contra;
    String reference = "";
    Optional<String> refersTo = Optional.empty();
    String reason = "";
  }

  static final class PromotionRow {
    Instant until = START.plus(DAY);
    String source = "";
  }

  SampleMoney() {
    promotionPayment("applied", "premium", 500);
    promotion("premium", "applied");
    promotionPayment("refunded", "premium", 500);
    PaymentRow refunded = payment("refunded");
    refunded.status = PaymentStatus.REFUNDED;
    refunded.transitions =
        List.of(PaymentStatus.PAID, PaymentStatus.REFUND_DUE, PaymentStatus.REFUNDED);
    refunded.refunded = 500;
    application("refunded").outcome = Outcome.REFUNDED;
    provider("refunded").refunded = 500;
    refunds.put("refunded", 500L);
    newPayment("pending", "PROMOTION", "raise", 300);
    newPayment("top-up", "TOP_UP", "top-up", 1_000);
    paid("top-up");
    topUp("top-up", "top-up", 1_000);
    charge("charge", "raise", 300);
    promotion("raise", "charge");
  }

  PaymentRow payment(String id) {
    return Objects.requireNonNull(payments.get(id));
  }

  ProviderRow provider(String id) {
    return Objects.requireNonNull(providers.get(id));
  }

  ApplicationRow application(String id) {
    return Objects.requireNonNull(applications.get(id));
  }

  EntryRow entry(String id) {
    return Objects.requireNonNull(entries.get(id));
  }

  private void newPayment(String id, String purpose, String label, long amount) {
    List<ServiceTerm> terms =
        purpose.equals("TOP_UP") ? List.of() : List.of(new ServiceTerm(label, DAY, false));
    payments.put(
        id, new PaymentRow(id, purpose, new PaymentLine(label, new Money(amount, "EUR"), terms)));
    ProviderRow provider = new ProviderRow();
    provider.amount = amount;
    providers.put(id, provider);
  }

  private void paid(String id) {
    payment(id).status = PaymentStatus.APPLIED;
    payment(id).transitions = List.of(PaymentStatus.PAID, PaymentStatus.APPLIED);
    provider(id).isPaid = true;
  }

  /// One that was applied.
  void promotionPayment(String id, String service, long amount) {
    newPayment(id, "PROMOTION", service, amount);
    paid(id);
    application(id, service, amount);
  }

  void application(String id, String service, long amount) {
    ApplicationRow row = new ApplicationRow();
    row.service = service;
    row.amount = amount;
    applications.put(id, row);
  }

  void promotion(String service, String source) {
    PromotionRow row = new PromotionRow();
    row.source = source;
    promotions.put(service, row);
    expiries.put(service, row.until);
  }

  void topUp(String name, String payment, long amount) {
    EntryRow row = add(name, EntryKind.TOP_UP, amount, payment);
    row.reason = "top-up";
  }

  void charge(String name, String service, long amount) {
    add(name, EntryKind.CHARGE, -amount, name).reason = service + " for offer " + OFFER;
  }

  void refund(String name, String of, long amount) {
    add(name, EntryKind.REFUND, amount, name).refersTo = Optional.of(of);
  }

  private EntryRow add(String name, EntryKind kind, long amount, String reference) {
    EntryRow row = new EntryRow();
    row.id = entries.size() + 1L;
    row.kind = kind;
    row.amount = amount;
    row.contra = -amount;
    row.reference = reference;
    entries.put(name, row);
    balance += amount;
    return row;
  }

  MoneySnapshot snapshot() {
    List<MoneySnapshot.Transition> transitions = new ArrayList<>();
    payments.values().forEach(payment -> addTransitions(payment, transitions));
    List<MoneySnapshot.Application> applied = new ArrayList<>();
    applications.forEach(
        (id, row) ->
            applied.add(
                new MoneySnapshot.Application(id, row.service, row.outcome, row.amount, row.at)));
    List<MoneySnapshot.ProviderPayment> known = new ArrayList<>();
    providers.forEach(
        (id, row) ->
            known.add(
                new MoneySnapshot.ProviderPayment(
                    id, row.isPaid, row.amount, row.currency, row.refunded)));
    List<MoneySnapshot.ProviderRefund> returned = new ArrayList<>();
    refunds.forEach((id, amount) -> returned.add(new MoneySnapshot.ProviderRefund(id, amount)));
    List<MoneySnapshot.Promotion> active = new ArrayList<>();
    promotions.forEach(
        (service, row) ->
            active.add(new MoneySnapshot.Promotion(ENTITY, service, START, row.until, row.source)));
    List<MoneySnapshot.Expiry> due = new ArrayList<>();
    expiries.forEach((service, at) -> due.add(new MoneySnapshot.Expiry(ENTITY, service, at)));
    return new MoneySnapshot(
        now,
        payments.values().stream().map(PaymentRow::row).toList(),
        transitions,
        applied,
        known,
        returned,
        List.of(new MoneySnapshot.Account(SELLER, "EUR", balance)),
        entries.values().stream().flatMap(row -> legs(row).stream()).toList(),
        List.of(new MoneySnapshot.Target(ENTITY, hasEnded)),
        active,
        due,
        queued);
  }

  private static void addTransitions(
      PaymentRow payment, List<MoneySnapshot.Transition> transitions) {
    PaymentStatus from = PaymentStatus.PENDING;
    int n = 0;
    for (PaymentStatus to : payment.transitions) {
      transitions.add(new MoneySnapshot.Transition(payment.id, ++n, from, to));
      from = to;
    }
  }

  /// A contra leg of 0 does not exist.
  private static List<Leg> legs(EntryRow row) {
    List<Leg> legs = new ArrayList<>(List.of(leg(row, true, row.amount)));
    if (row.contra != 0) {
      legs.add(leg(row, false, row.contra));
    }
    return legs;
  }

  private static Leg leg(EntryRow row, boolean isBalance, long amount) {
    return new Leg(
        SELLER,
        "EUR",
        row.id,
        isBalance,
        row.kind,
        amount,
        row.reference,
        row.refersTo,
        row.reason,
        START);
  }
}
