package dev.torg.promotions.ledger;

import dev.torg.platform.Money;
import java.util.ArrayList;
import java.util.List;

/// The rules of a ledger in their plainest form: every decision scans all entries. What [AccountLedger] is compared with.
final class NaiveLedger {
  private final List<LedgerEntry> entries = new ArrayList<>();

  List<LedgerEntry> entries() {
    return entries;
  }

  long balance(LedgerAccount account) {
    return entries.stream()
        .filter(entry -> entry.account().equals(account))
        .mapToLong(LedgerEntry::amount)
        .sum();
  }

  /// POSTED, REPEATED, or the reason of the refusal.
  String post(Posting posting) {
    List<LedgerEntry> before = List.copyOf(entries);
    long known = posting.entries().stream().filter(entry -> hasKeyOf(entry)).count();
    if (known > 0) {
      boolean isSame = posting.entries().stream().allMatch(this::hasSame);
      return isSame ? "REPEATED" : "REFERENCE_REUSED";
    }
    entries.addAll(posting.entries());
    String problem = problem(posting, before);
    if (!problem.isEmpty()) {
      entries.clear();
      entries.addAll(before);
      return problem;
    }
    return "POSTED";
  }

  private String problem(Posting posting, List<LedgerEntry> before) {
    for (LedgerEntry entry : posting.entries()) {
      if (entry.refersTo().isPresent() && !isCovered(entry, before)) {
        return "NOT_REFUNDABLE";
      }
    }
    long balance = balance(posting.account());
    if (balance < 0) {
      return "INSUFFICIENT_BALANCE";
    }
    return balance > Money.MAX_AMOUNT ? "BALANCE_LIMIT" : "";
  }

  /// What was paid must have been written before; all refunds of it, these included, must not exceed it.
  private boolean isCovered(LedgerEntry refund, List<LedgerEntry> before) {
    long paid =
        before.stream()
            .filter(entry -> entry.account().equals(refund.account()))
            .filter(entry -> entry.kind() == paidKind(refund))
            .filter(entry -> entry.reference().equals(refund.refersTo().orElseThrow()))
            .mapToLong(entry -> Math.abs(entry.amount()))
            .sum();
    long returned =
        entries.stream()
            .filter(entry -> entry.account().equals(refund.account()))
            .filter(entry -> entry.kind() == LedgerKind.REFUND)
            .filter(entry -> entry.refersTo().equals(refund.refersTo()))
            .filter(entry -> entry.amount() > 0 == refund.amount() > 0)
            .mapToLong(entry -> Math.abs(entry.amount()))
            .sum();
    return returned <= paid;
  }

  private static LedgerKind paidKind(LedgerEntry refund) {
    return refund.amount() > 0 ? LedgerKind.CHARGE : LedgerKind.TOP_UP;
  }

  private boolean hasKeyOf(LedgerEntry entry) {
    return entries.stream()
        .anyMatch(
            other ->
                other.account().equals(entry.account())
                    && other.kind() == entry.kind()
                    && other.reference().equals(entry.reference()));
  }

  private boolean hasSame(LedgerEntry entry) {
    return entries.contains(entry);
  }
}
