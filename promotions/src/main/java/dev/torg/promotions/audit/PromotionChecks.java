package dev.torg.promotions.audit;

import dev.torg.promotions.PaymentLine;
import dev.torg.promotions.PromotedEntity;
import dev.torg.promotions.ServiceTerm;
import dev.torg.promotions.apply.PromotionPaymentHandler;
import dev.torg.promotions.audit.MoneySnapshot.Application;
import dev.torg.promotions.audit.MoneySnapshot.EntryKind;
import dev.torg.promotions.audit.MoneySnapshot.Expiry;
import dev.torg.promotions.audit.MoneySnapshot.Leg;
import dev.torg.promotions.audit.MoneySnapshot.Outcome;
import dev.torg.promotions.audit.MoneySnapshot.Payment;
import dev.torg.promotions.audit.MoneySnapshot.Promotion;
import dev.torg.promotions.audit.MoneySnapshot.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Each active service against what paid for it, and each purchase against the active services.
final class PromotionChecks {
  /// How long a service may be over before the job should have ended it.
  private static final Duration EXPIRY_DELAY = Duration.ofSeconds(30);

  /// Columns are written from one time, which the driver may round differently.
  private static final Duration ROUNDING = Duration.ofMillis(1);

  /// What a charge of the balance states as its reason.
  private static final String CHARGE_REASON = " for offer ";

  private final MoneySnapshot snapshot;
  private final Predicate<String> neverEnded;
  private final List<MoneyFinding> findings;
  private final Map<Service, List<Purchase>> purchases;
  private final Set<String> charges = new HashSet<>();
  private final Set<Active> active = new HashSet<>();

  private record Service(String entity, String name) {}

  private record Active(Service service, String source) {}

  /// A service that was paid and not returned.
  ///
  /// @param duration empty if it is not known: of a charge
  private record Purchase(
      Service service,
      String source,
      Instant at,
      Optional<Duration> duration,
      boolean isExtendable) {
    boolean covers(Instant time) {
      return duration.isPresent() && !time.isBefore(at) && time.isBefore(at.plus(duration.get()));
    }
  }

  PromotionChecks(
      MoneySnapshot snapshot, Predicate<String> neverEnded, List<MoneyFinding> findings) {
    this.snapshot = snapshot;
    this.neverEnded = neverEnded;
    this.findings = findings;
    snapshot.legs().stream()
        .filter(leg -> leg.isBalance() && leg.kind() == EntryKind.CHARGE)
        .forEach(leg -> charges.add(leg.reference()));
    snapshot.promotions().forEach(row -> active.add(new Active(service(row), row.source())));
    List<Purchase> all = new ArrayList<>(byPayment());
    all.addAll(byBalance());
    this.purchases = all.stream().collect(Collectors.groupingBy(Purchase::service));
  }

  private List<Purchase> byPayment() {
    Map<String, Payment> payments = new HashMap<>();
    snapshot.payments().forEach(payment -> payments.put(payment.id(), payment));
    List<Purchase> found = new ArrayList<>();
    for (Application row : snapshot.applications()) {
      Payment payment = payments.get(row.payment());
      if (payment != null && row.outcome() == Outcome.APPLIED) {
        found.addAll(purchases(payment, row));
      }
    }
    return found;
  }

  private static List<Purchase> purchases(Payment payment, Application row) {
    if (!payment.purpose().equals(PromotionPaymentHandler.PURPOSE)) {
      return List.of();
    }
    String entity = PromotedEntity.OFFER + ":" + payment.reference();
    return payment.lines().stream()
        .filter(line -> line.label().equals(row.service()))
        .map(PaymentLine::services)
        .flatMap(List::stream)
        .map(term -> purchase(entity, payment.id(), row.at(), term))
        .toList();
  }

  private static Purchase purchase(String entity, String source, Instant at, ServiceTerm term) {
    return new Purchase(
        new Service(entity, term.service()),
        source,
        at,
        Optional.of(term.duration()),
        term.extendable());
  }

  private List<Purchase> byBalance() {
    return snapshot.legs().stream()
        .filter(leg -> leg.isBalance() && leg.kind() == EntryKind.CHARGE)
        .filter(leg -> leg.reason().contains(CHARGE_REASON))
        .map(PromotionChecks::charge)
        .toList();
  }

  private static Purchase charge(Leg leg) {
    int at = leg.reason().indexOf(CHARGE_REASON);
    String entity =
        PromotedEntity.OFFER + ":" + leg.reason().substring(at + CHARGE_REASON.length());
    return new Purchase(
        new Service(entity, leg.reason().substring(0, at)),
        leg.reference(),
        leg.at(),
        Optional.empty(),
        false);
  }

  void run() {
    Set<String> ended =
        snapshot.targets().stream()
            .filter(Target::hasEnded)
            .map(Target::entity)
            .collect(Collectors.toSet());
    Set<Expiry> expiries = new HashSet<>(snapshot.expiries());
    for (Promotion promotion : snapshot.promotions()) {
      checkPaid(promotion);
      checkEnd(promotion, ended, expiries);
    }
    purchases.forEach(this::checkPurchases);
  }

  private void checkPaid(Promotion promotion) {
    Optional<Purchase> payment =
        purchases(promotion).stream()
            .filter(purchase -> purchase.source().equals(promotion.source()))
            .findFirst();
    if (payment.isPresent()) {
      checkTimes(promotion, payment.get());
    } else if (!charges.contains(promotion.source())) {
      add(MoneyProblem.UNPAID_PROMOTION, promotion + " was not paid");
    }
  }

  private static Service service(Promotion promotion) {
    return new Service(promotion.entity(), promotion.service());
  }

  private List<Purchase> purchases(Promotion promotion) {
    return purchases.getOrDefault(service(promotion), List.of());
  }

  private void checkTimes(Promotion promotion, Purchase purchase) {
    boolean isWrong =
        purchase.duration().isPresent()
            && !purchase.isExtendable()
            && (isApart(promotion.since(), purchase.at())
                || isApart(promotion.until(), purchase.at().plus(purchase.duration().get())));
    if (isWrong) {
      add(MoneyProblem.WRONG_TIMES, promotion + " was paid as " + purchase);
    }
  }

  private static boolean isApart(Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(ROUNDING) > 0;
  }

  private void checkEnd(Promotion promotion, Set<String> ended, Set<Expiry> expiries) {
    if (!expiries.contains(
        new Expiry(promotion.entity(), promotion.service(), promotion.until()))) {
      add(MoneyProblem.NO_EXPIRY, promotion + " would never end");
    }
    if (ended.contains(promotion.entity())) {
      add(MoneyProblem.PROMOTED_AFTER_END, promotion + " is of an offer that has ended");
    }
    if (promotion.until().plus(EXPIRY_DELAY).isBefore(snapshot.now())) {
      add(MoneyProblem.UNSETTLED, promotion + " is over");
    }
  }

  private void checkPurchases(Service service, List<Purchase> bought) {
    if (!neverEnded.test(service.entity()) || bought.stream().anyMatch(Purchase::isExtendable)) {
      return;
    }
    List<Purchase> sorted = bought.stream().sorted(Comparator.comparing(Purchase::at)).toList();
    for (int i = 0; i + 1 < sorted.size(); i++) {
      if (sorted.get(i).covers(sorted.get(i + 1).at())) {
        add(
            MoneyProblem.TWO_PURCHASES,
            "%s was bought while it was active: %s, %s"
                .formatted(service, sorted.get(i), sorted.get(i + 1)));
      }
    }
    for (Purchase purchase : sorted) {
      if (purchase.covers(snapshot.now())
          && !active.contains(new Active(service, purchase.source()))) {
        add(MoneyProblem.MISSING_PROMOTION, purchase + " is not active");
      }
    }
  }

  private void add(MoneyProblem problem, String text) {
    findings.add(new MoneyFinding(problem, text));
  }
}
