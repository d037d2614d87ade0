package dev.torg.promotions.intent;

import dev.torg.platform.Home;
import java.util.Comparator;

/// What the intents of a seller have in common.
///
/// @param waiting how many of them wait for the balance
/// @param notified whether the seller was notified of it; false while none waits
record SellerIntents(String seller, int waiting, boolean notified) {
  /// The order of the primary key, in which sellers are locked.
  static final Comparator<SellerIntents> ORDER =
      Comparator.comparing(SellerIntents::home).thenComparing(SellerIntents::seller);

  Home home() {
    return Home.of(seller);
  }

  /// After `change` more intents wait.
  SellerIntents waitingMore(int change) {
    int next = waiting + change;
    return new SellerIntents(seller, next, notified && next > 0);
  }

  SellerIntents withNotified() {
    return new SellerIntents(seller, waiting, true);
  }
}
