package dev.torg.promotions.audit;

import dev.torg.promotions.audit.MoneySnapshot.Account;
import dev.torg.promotions.audit.MoneySnapshot.EntryKind;
import dev.torg.promotions.audit.MoneySnapshot.Leg;
import dev.torg.promotions.audit.MoneySnapshot.Payment;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Each account and entry of the ledger by itself, and top-ups against payments.
final class LedgerChecks {
  private final MoneySnapshot snapshot;
  private final List<MoneyFinding> findings;

  private record Owner(String seller, String currency) {
    static Owner of(Leg leg) {
      return new Owner(leg.seller(), leg.currency());
    }
  }

  private record Entry(Owner owner, long id) {}

  /// What refunds refer to: a charge, or a top-up.
  private record Refunded(Owner owner, EntryKind kind, String reference) {}

  LedgerChecks(MoneySnapshot snapshot, List<MoneyFinding> findings) {
    this.snapshot = snapshot;
    this.findings = findings;
  }

  void run() {
    snapshot.legs().stream()
        .collect(Collectors.groupingBy(leg -> new Entry(Owner.of(leg), leg.entry())))
        .forEach(this::checkEntry);
    checkBalances();
    checkRefunds();
    checkTopUps();
  }

  private void checkEntry(Entry entry, List<Leg> legs) {
    long sum = legs.stream().mapToLong(Leg::amount).sum();
    long balances = legs.stream().filter(Leg::isBalance).count();
    if (sum != 0 || legs.size() != 2 || balances != 1) {
      add(
          MoneyProblem.UNBALANCED_ENTRY,
          "entry %d of %s has %d legs that sum to %d"
              .formatted(entry.id(), entry.owner(), legs.size(), sum));
    }
  }

  private void checkBalances() {
    Map<Owner, Long> stored = new HashMap<>();
    for (Account account : snapshot.accounts()) {
      stored.put(new Owner(account.seller(), account.currency()), account.balance());
    }
    Map<Owner, Long> sums = new HashMap<>();
    snapshot.legs().stream()
        .filter(Leg::isBalance)
        .sorted(Comparator.comparingLong(Leg::entry))
        .forEach(leg -> add(sums, leg));
    Set<Owner> owners = new HashSet<>(stored.keySet());
    owners.addAll(sums.keySet());
    for (Owner owner : owners) {
      long balance = stored.getOrDefault(owner, 0L);
      long sum = sums.getOrDefault(owner, 0L);
      if (balance != sum || balance < 0) {
        add(
            MoneyProblem.WRONG_BALANCE,
            "%s has %d, its entries sum to %d".formatted(owner, balance, sum));
      }
    }
  }

  private void add(Map<Owner, Long> sums, Leg leg) {
    long after = sums.merge(Owner.of(leg), leg.amount(), Long::sum);
    if (after < 0) {
      add(
          MoneyProblem.WRONG_BALANCE,
          "%s had %d after entry %d".formatted(Owner.of(leg), after, leg.entry()));
    }
  }

  private void checkRefunds() {
    Map<Refunded, Long> paid = new HashMap<>();
    Map<Refunded, Long> returned = new HashMap<>();
    for (Leg leg : snapshot.legs()) {
      if (leg.isBalance() && leg.kind() == EntryKind.REFUND) {
        EntryKind of = leg.amount() > 0 ? EntryKind.CHARGE : EntryKind.TOP_UP;
        returned.merge(
            new Refunded(Owner.of(leg), of, leg.refersTo().orElse("")),
            Math.abs(leg.amount()),
            Long::sum);
      } else if (leg.isBalance()) {
        paid.merge(
            new Refunded(Owner.of(leg), leg.kind(), leg.reference()),
            Math.abs(leg.amount()),
            Long::sum);
      }
    }
    returned.forEach(
        (refunded, amount) -> {
          if (amount > paid.getOrDefault(refunded, 0L)) {
            add(
                MoneyProblem.EXCESSIVE_LEDGER_REFUND,
                "%d of %s is returned, but %d was paid"
                    .formatted(amount, refunded, paid.getOrDefault(refunded, 0L)));
          }
        });
  }

  private void checkTopUps() {
    Map<String, Payment> payments = new HashMap<>();
    snapshot.payments().forEach(payment -> payments.put(payment.id(), payment));
    for (Leg leg : snapshot.legs()) {
      Payment payment = payments.get(leg.reference());
      boolean isPaid = payment != null && payment.wasPaid() && payment.payer().equals(leg.seller());
      if (leg.isBalance() && leg.kind() == EntryKind.TOP_UP && !isPaid) {
        add(
            MoneyProblem.UNPAID_TOP_UP,
            "%s received %d for %s, which did not pay for it"
                .formatted(leg.seller(), leg.amount(), leg.reference()));
      }
    }
  }

  private void add(MoneyProblem problem, String text) {
    findings.add(new MoneyFinding(problem, text));
  }
}
