package dev.torg.promotions.ledger;

import java.time.Instant;

/// An entry of the ledger.
///
/// @param id grows with every entry of an account
/// @param at when it was written
public record StoredEntry(long id, Instant at, LedgerEntry entry) {}
