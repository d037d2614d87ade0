package dev.torg.promotions.audit;

/// What can be wrong with money.
public enum MoneyProblem {
  /// Not wrong yet: work for a job, such as a refund that is due. A settled installation has none.
  UNSETTLED,
  /// The provider has money of a payment that does not exist here.
  PAYMENT_LOST,
  /// A payment counts as paid although the provider has no money of it.
  NOT_PAID,
  /// The provider's amount or currency is another one.
  WRONG_AMOUNT,
  /// What was paid is not applied, refunded or on the balance exactly once.
  NOT_ACCOUNTED,
  /// The provider has returned another amount than the payment states.
  WRONG_REFUND,
  /// The transitions of a payment have a gap, or one that is not allowed.
  WRONG_AUDIT,
  /// The legs of a ledger entry do not sum to zero.
  UNBALANCED_ENTRY,
  /// A balance is not the sum of its entries, or was negative after one of them.
  WRONG_BALANCE,
  /// More than a top-up or charge was returned, or one that does not exist.
  EXCESSIVE_LEDGER_REFUND,
  /// A top-up in the ledger that no payment paid for.
  UNPAID_TOP_UP,
  /// An active service that neither a payment nor a charge paid for.
  UNPAID_PROMOTION,
  /// An active service with other times than those that were paid.
  WRONG_TIMES,
  /// An active service that nothing would end.
  NO_EXPIRY,
  /// An active service of an offer that is banned, sold or removed.
  PROMOTED_AFTER_END,
  /// A service that was paid, was not returned, and should still be active.
  MISSING_PROMOTION,
  /// Two purchases of one service at the same time.
  TWO_PURCHASES
}
