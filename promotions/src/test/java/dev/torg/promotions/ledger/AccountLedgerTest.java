package dev.torg.promotions.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Money;
import dev.torg.promotions.ledger.PostingOutcome.Posted;
import dev.torg.promotions.ledger.PostingOutcome.Reason;
import dev.torg.promotions.ledger.PostingOutcome.Refused;
import dev.torg.promotions.ledger.PostingOutcome.Repeated;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccountLedgerTest {
  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final String SELLER = "user:1";

  private final AccountLedger ledger = new AccountLedger(0, 0, List.of());

  private static Money euros(long cents) {
    return new Money(cents, "EUR");
  }

  private PostingOutcome topUp(long cents, String reference) {
    return ledger.post(
        Posting.of(LedgerEntry.topUp(SELLER, euros(cents), reference, "top-up")), NOW);
  }

  private PostingOutcome charge(long cents, String reference) {
    return ledger.post(
        Posting.of(LedgerEntry.charge(SELLER, euros(cents), reference, "premium")), NOW);
  }

  private PostingOutcome refund(long cents, String charge, String reference) {
    return ledger.post(
        Posting.of(LedgerEntry.refundOfCharge(SELLER, euros(cents), charge, reference, "ended")),
        NOW);
  }

  @Test
  void charge_withinTheBalance_isWritten_beyondItRefused() {
    assertThat(topUp(100, "p1")).isEqualTo(new Posted(100));
    assertThat(charge(60, "c1")).isEqualTo(new Posted(40));
    assertThat(charge(41, "c2")).isEqualTo(new Refused(Reason.INSUFFICIENT_BALANCE, 40));
    assertThat(charge(40, "c2")).isEqualTo(new Posted(0));
  }

  @Test
  void repeatedReference_isWrittenOnce_withAnotherAmountRefused() {
    assertThat(topUp(100, "p1")).isEqualTo(new Posted(100));
    assertThat(topUp(100, "p1")).isEqualTo(new Repeated(100));
    assertThat(topUp(99, "p1")).isEqualTo(new Refused(Reason.REFERENCE_REUSED, 100));
    assertThat(ledger.added()).hasSize(1);
  }

  @Test
  void posting_isAllOrNothing() {
    topUp(100, "p1");
    Posting both =
        Posting.of(
            LedgerEntry.charge(SELLER, euros(60), "c1", "premium"),
            LedgerEntry.charge(SELLER, euros(60), "c2", "raise"));
    assertThat(ledger.post(both, NOW)).isEqualTo(new Refused(Reason.INSUFFICIENT_BALANCE, 100));
    assertThat(ledger.added()).hasSize(1);
    topUp(20, "p2");
    assertThat(ledger.post(both, NOW)).isEqualTo(new Posted(0));
    assertThat(ledger.post(both, NOW)).isEqualTo(new Repeated(0));
  }

  @Test
  void posting_ofWhichAPartWasWritten_isRefused() {
    topUp(100, "p1");
    charge(10, "c1");
    Posting both =
        Posting.of(
            LedgerEntry.charge(SELLER, euros(10), "c1", "premium"),
            LedgerEntry.charge(SELLER, euros(10), "c2", "raise"));
    assertThat(ledger.post(both, NOW)).isEqualTo(new Refused(Reason.REFERENCE_REUSED, 90));
  }

  @Test
  void refunds_neverExceedTheCharge() {
    topUp(100, "p1");
    charge(60, "c1");
    assertThat(refund(1, "unknown", "r1")).isEqualTo(new Refused(Reason.NOT_REFUNDABLE, 40));
    assertThat(refund(50, "c1", "r1")).isEqualTo(new Posted(90));
    assertThat(refund(11, "c1", "r2")).isEqualTo(new Refused(Reason.NOT_REFUNDABLE, 90));
    assertThat(refund(10, "c1", "r2")).isEqualTo(new Posted(100));
    assertThat(refund(50, "c1", "r1")).isEqualTo(new Repeated(100));
  }

  @Test
  void topUp_thatWasSpent_cannotBeReturned() {
    topUp(100, "p1");
    charge(60, "c1");
    LedgerEntry all = LedgerEntry.refundOfTopUp(SELLER, euros(100), "p1", "r1", "returned");
    assertThat(ledger.post(Posting.of(all), NOW))
        .isEqualTo(new Refused(Reason.INSUFFICIENT_BALANCE, 40));
  }

  @Test
  void balance_isBounded() {
    assertThat(topUp(Money.MAX_AMOUNT, "p1")).isEqualTo(new Posted(Money.MAX_AMOUNT));
    assertThat(topUp(1, "p2")).isEqualTo(new Refused(Reason.BALANCE_LIMIT, Money.MAX_AMOUNT));
  }

  @Test
  void ids_growAlthoughTheClockDoesNot() {
    topUp(1, "p1");
    ledger.post(
        Posting.of(LedgerEntry.topUp(SELLER, euros(1), "p2", "top-up")), NOW.minusSeconds(60));
    assertThat(ledger.added()).extracting(StoredEntry::id).isSorted().doesNotHaveDuplicates();
  }

  /// 2,000 random histories against [NaiveLedger]: equal decisions, never a negative balance, legs that sum to zero, a
  /// balance that is the sum of the entries.
  @Test
  void randomHistories_areDecidedAsByTheNaiveLedger() {
    Map<String, Integer> decisions = new HashMap<>();
    for (long seed = 0; seed < 2_000; seed++) {
      NaiveLedger naive = new NaiveLedger();
      Map<LedgerAccount, AccountLedger> ledgers = new HashMap<>();
      for (Posting posting : new LedgerHistory(seed, SELLER).postings(40)) {
        AccountLedger account =
            ledgers.computeIfAbsent(posting.account(), _ -> new AccountLedger(0, 0, List.of()));
        String expected = naive.post(posting);
        assertThat(name(account.post(posting, NOW))).as("seed %d", seed).isEqualTo(expected);
        decisions.merge(expected, 1, Integer::sum);
        checkBooks(account, naive.balance(posting.account()));
      }
    }
    assertThat(decisions.keySet())
        .contains(
            "POSTED", "REPEATED", "REFERENCE_REUSED", "INSUFFICIENT_BALANCE", "NOT_REFUNDABLE");
  }

  private static void checkBooks(AccountLedger ledger, long expected) {
    assertThat(ledger.balance()).isEqualTo(expected).isNotNegative();
    long sum = ledger.added().stream().mapToLong(stored -> stored.entry().amount()).sum();
    assertThat(sum).isEqualTo(expected);
    long allLegs =
        ledger.added().stream()
            .flatMap(stored -> stored.entry().legs().stream())
            .mapToLong(LedgerEntry.Leg::amount)
            .sum();
    assertThat(allLegs).isZero();
  }

  static String name(PostingOutcome outcome) {
    return switch (outcome) {
      case Posted _ -> "POSTED";
      case Repeated _ -> "REPEATED";
      case Refused refused -> refused.reason().name();
    };
  }
}
