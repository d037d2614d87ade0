package dev.torg.promotions.ledger;

/// What became of a posting. `balance` is the account's balance afterwards.
public sealed interface PostingOutcome {
  long balance();

  /// All of its entries were written.
  record Posted(long balance) implements PostingOutcome {}

  /// All of its entries had been written before; nothing was changed.
  record Repeated(long balance) implements PostingOutcome {}

  /// Nothing was written.
  record Refused(Reason reason, long balance) implements PostingOutcome {}

  /// Why a posting is refused.
  enum Reason {
    /// The balance would be negative.
    INSUFFICIENT_BALANCE,
    /// The balance would exceed the largest amount of money.
    BALANCE_LIMIT,
    /// A reference names another entry already.
    REFERENCE_REUSED,
    /// More would be returned than was paid and not returned yet.
    NOT_REFUNDABLE
  }
}
