package dev.torg.promotions.ledger;

import java.util.List;

/// A page of a seller's ledger, newest first.
///
/// @param nextPageToken empty at the end
public record LedgerPage(List<StoredEntry> entries, String nextPageToken) {
  public LedgerPage {
    entries = List.copyOf(entries);
  }
}
