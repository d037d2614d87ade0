package dev.torg.promotions.ledger;

import dev.torg.platform.EpochMicros;
import dev.torg.platform.Money;
import dev.torg.promotions.ledger.PostingOutcome.Posted;
import dev.torg.promotions.ledger.PostingOutcome.Reason;
import dev.torg.promotions.ledger.PostingOutcome.Refused;
import dev.torg.promotions.ledger.PostingOutcome.Repeated;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decides the postings of one account, in memory:
///
/// - the balance is never negative, and never above [Money#MAX_AMOUNT];
/// - an entry whose reference exists is not written again, and with another amount refused;
/// - refunds of a top-up or charge never sum to more than its amount.
///
/// It needs the balance and those former entries that postings name: by their own references, as what a refund returns,
/// and as further refunds of it. Not safe for concurrent use.
final class AccountLedger {
  private final Map<LedgerEntry.Key, LedgerEntry> entries = new HashMap<>();

  /// What refunds have returned of a top-up or charge, by its key.
  private final Map<LedgerEntry.Key, Long> returned = new HashMap<>();

  private final List<StoredEntry> added = new ArrayList<>();
  private long balance;
  private long lastId;

  AccountLedger(long balance, long lastId, Collection<LedgerEntry> former) {
    this.balance = balance;
    this.lastId = lastId;
    former.forEach(this::remember);
  }

  long balance() {
    return balance;
  }

  long lastId() {
    return lastId;
  }

  /// The entries that were written, in their order.
  List<StoredEntry> added() {
    return List.copyOf(added);
  }

  PostingOutcome post(Posting posting, Instant now) {
    long existing =
        posting.entries().stream().filter(entry -> entries.containsKey(entry.key())).count();
    Optional<Reason> refusal = existing > 0 ? reuse(posting, existing) : refusal(posting);
    if (refusal.isPresent()) {
      return new Refused(refusal.get(), balance);
    }
    if (existing > 0) {
      return new Repeated(balance);
    }
    posting.entries().forEach(entry -> add(entry, now));
    return new Posted(balance);
  }

  /// A repetition has the same entries, all of them.
  private Optional<Reason> reuse(Posting posting, long existing) {
    boolean isSame =
        existing == posting.entries().size()
            && posting.entries().stream()
                .allMatch(
                    entry -> {
                      LedgerEntry former = entries.get(entry.key());
                      return former != null && former.isRepeatedBy(entry);
                    });
    return isSame ? Optional.empty() : Optional.of(Reason.REFERENCE_REUSED);
  }

  private Optional<Reason> refusal(Posting posting) {
    if (!isRefundable(posting)) {
      return Optional.of(Reason.NOT_REFUNDABLE);
    }
    long sum = posting.entries().stream().mapToLong(LedgerEntry::amount).reduce(0, Math::addExact);
    long after = Math.addExact(balance, sum);
    if (after < 0) {
      return Optional.of(Reason.INSUFFICIENT_BALANCE);
    }
    return after > Money.MAX_AMOUNT ? Optional.of(Reason.BALANCE_LIMIT) : Optional.empty();
  }

  private boolean isRefundable(Posting posting) {
    Map<LedgerEntry.Key, Long> returning = new HashMap<>();
    posting
        .entries()
        .forEach(
            entry ->
                entry
                    .returned()
                    .ifPresent(
                        paid -> returning.merge(paid, Math.abs(entry.amount()), Math::addExact)));
    return returning.entrySet().stream()
        .allMatch(refund -> refund.getValue() <= refundable(refund.getKey()));
  }

  private long refundable(LedgerEntry.Key paid) {
    LedgerEntry entry = entries.get(paid);
    return entry == null ? 0 : Math.abs(entry.amount()) - returned.getOrDefault(paid, 0L);
  }

  private void add(LedgerEntry entry, Instant now) {
    balance = Math.addExact(balance, entry.amount());
    lastId = Math.max(EpochMicros.of(now), lastId + 1);
    added.add(new StoredEntry(lastId, now, entry));
    remember(entry);
  }

  private void remember(LedgerEntry entry) {
    if (entries.put(entry.key(), entry) == null) {
      entry
          .returned()
          .ifPresent(paid -> returned.merge(paid, Math.abs(entry.amount()), Math::addExact));
    }
  }
}
