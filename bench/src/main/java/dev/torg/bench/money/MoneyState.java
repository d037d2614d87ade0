package dev.torg.bench.money;

import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.promotions.audit.MoneyAudit;
import dev.torg.promotions.audit.MoneyFinding;
import dev.torg.promotions.audit.MoneyProblem;
import dev.torg.promotions.audit.MoneySnapshot;
import dev.torg.promotions.audit.MoneySnapshot.EntryKind;
import dev.torg.promotions.audit.MoneySnapshot.Leg;
import dev.torg.promotions.audit.MoneySnapshot.Payment;
import dev.torg.promotions.audit.MoneySnapshot.Promotion;
import dev.torg.promotions.audit.MoneySnapshot.ProviderPayment;
import dev.torg.promotions.audit.MoneyTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What became of all money, recomputed home by home.
final class MoneyState {
  private final List<MoneyFinding> findings = new ArrayList<>();
  private final Map<String, Long> payments = new TreeMap<>();
  private final Map<String, Long> entries = new TreeMap<>();
  private final Set<String> paid = new HashSet<>();
  private final Set<String> promoted = new HashSet<>();
  private long activeServices;
  private long refundedAmount;

  private MoneyState() {}

  static MoneyState read(Database database, MoneyAudit audit) {
    MoneyState state = new MoneyState();
    MoneyTables tables = new MoneyTables(database);
    for (Home home : Home.all()) {
      MoneySnapshot snapshot = tables.read(home, Instant.now());
      state.findings.addAll(audit.check(snapshot));
      state.count(snapshot);
    }
    return state;
  }

  private void count(MoneySnapshot snapshot) {
    for (Payment payment : snapshot.payments()) {
      payments.merge(payment.purpose() + " " + payment.status(), 1L, Long::sum);
      refundedAmount += payment.refunded();
    }
    snapshot.legs().stream()
        .filter(Leg::isBalance)
        .map(Leg::kind)
        .map(EntryKind::name)
        .forEach(kind -> entries.merge(kind, 1L, Long::sum));
    snapshot.providerPayments().stream()
        .filter(ProviderPayment::isPaid)
        .map(ProviderPayment::id)
        .forEach(paid::add);
    snapshot.promotions().stream().map(Promotion::entity).forEach(promoted::add);
    activeServices += snapshot.promotions().size();
  }

  /// What is wrong, without what is not settled.
  List<MoneyFinding> violations() {
    return findings.stream()
        .filter(finding -> finding.problem() != MoneyProblem.UNSETTLED)
        .toList();
  }

  List<MoneyFinding> unsettled() {
    return findings.stream()
        .filter(finding -> finding.problem() == MoneyProblem.UNSETTLED)
        .toList();
  }

  long count(MoneyProblem problem) {
    return findings.stream().filter(finding -> finding.problem() == problem).count();
  }

  /// Payments by purpose and status.
  Map<String, Long> payments() {
    return payments;
  }

  /// Ledger entries by kind.
  Map<String, Long> entries() {
    return entries;
  }

  /// Payments that the provider has money of.
  Set<String> paid() {
    return paid;
  }

  /// Entities with an active service.
  Set<String> promoted() {
    return promoted;
  }

  long activeServices() {
    return activeServices;
  }

  long refundedAmount() {
    return refundedAmount;
  }
}
