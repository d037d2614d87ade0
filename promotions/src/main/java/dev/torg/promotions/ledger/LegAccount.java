package dev.torg.promotions.ledger;

/// The account that one leg of an entry changes. The numbers are stored.
public enum LegAccount {
  /// What the seller may spend.
  BALANCE(0),
  /// Money at the payment provider that belongs to sellers: its negated sum equals the sum of top-ups not returned.
  PROVIDER(1),
  /// What sellers have spent.
  REVENUE(2);

  private final int number;

  LegAccount(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static LegAccount ofNumber(int number) {
    for (LegAccount account : values()) {
      if (account.number == number) {
        return account;
      }
    }
    throw new IllegalArgumentException("no account of a leg: " + number);
  }
}
