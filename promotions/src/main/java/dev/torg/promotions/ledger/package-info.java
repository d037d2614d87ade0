/// The prepaid balances of sellers, as a double-entry ledger.
///
/// A [LedgerEntry][dev.torg.promotions.ledger.LedgerEntry] moves an amount between a seller's balance and one contra
/// account: the payment provider, where topped-up money comes from, or the revenue, where charges go to. Its two legs are
/// derived from one amount, so an entry that does not balance cannot be created. A
/// [Posting][dev.torg.promotions.ledger.Posting] is several entries of one account, all or none.
///
/// [AccountLedger][dev.torg.promotions.ledger.AccountLedger] decides postings in memory: never a negative balance, each
/// reference once, no more returned than was paid. [LedgerStore][dev.torg.promotions.ledger.LedgerStore] does so under the
/// lock of the account's row, within the caller's transaction.
@NullMarked
package dev.torg.promotions.ledger;

import org.jspecify.annotations.NullMarked;
