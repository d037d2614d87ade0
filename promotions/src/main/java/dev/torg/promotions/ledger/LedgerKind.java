package dev.torg.promotions.ledger;

/// Why a balance changes. The numbers are stored.
public enum LedgerKind {
  /// Money that was paid at the provider enters the balance.
  TOP_UP(1),
  /// A service is paid from the balance.
  CHARGE(2),
  /// A charge returns to the balance, or a top-up to its payer.
  REFUND(3);

  private final int number;

  LedgerKind(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static LedgerKind ofNumber(int number) {
    for (LedgerKind kind : values()) {
      if (kind.number == number) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no kind of ledger entry: " + number);
  }
}
