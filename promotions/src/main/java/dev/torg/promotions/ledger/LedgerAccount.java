package dev.torg.promotions.ledger;

import dev.torg.platform.Home;
import java.util.Comparator;

/// The balance of a seller in a currency.
public record LedgerAccount(String seller, String currency) {
  /// The order of the primary key, in which accounts are locked.
  static final Comparator<LedgerAccount> BY_KEY =
      Comparator.comparing(LedgerAccount::home)
          .thenComparing(LedgerAccount::seller)
          .thenComparing(LedgerAccount::currency);

  public Home home() {
    return Home.of(seller);
  }
}
