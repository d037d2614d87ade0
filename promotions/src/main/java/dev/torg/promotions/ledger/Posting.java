package dev.torg.promotions.ledger;

import java.util.List;

/// Entries of one account that are written together or not at all.
public record Posting(List<LedgerEntry> entries) {
  public Posting {
    entries = List.copyOf(entries);
    if (entries.stream().map(LedgerEntry::account).distinct().count() != 1) {
      throw new IllegalArgumentException("a posting has entries of exactly one account");
    }
    if (entries.stream().map(LedgerEntry::key).distinct().count() != entries.size()) {
      throw new IllegalArgumentException("two entries of a posting have the same reference");
    }
  }

  public static Posting of(LedgerEntry... entries) {
    return new Posting(List.of(entries));
  }

  public LedgerAccount account() {
    return entries.getFirst().account();
  }
}
