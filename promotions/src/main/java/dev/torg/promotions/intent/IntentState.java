package dev.torg.promotions.intent;

/// What became of the last examination of an intent. The numbers are stored.
public enum IntentState {
  /// It was not examined yet; or the seller has no active offer with this external id, or the offer cannot have the
  /// services now.
  WAITING_FOR_OFFER(1),
  /// The balance does not suffice.
  WAITING_FOR_BALANCE(2),
  /// The services were bought, or were active already.
  APPLIED(3),
  /// There is no price for the services, or none could be obtained yet.
  WAITING_FOR_PRICE(4),
  /// The seller has removed it. The row remains for as long as an older arrival may be delivered again.
  REMOVED(5);

  private final int number;

  IntentState(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static IntentState ofNumber(int number) {
    for (IntentState state : values()) {
      if (state.number == number) {
        return state;
      }
    }
    throw new IllegalArgumentException("no state of an intent: " + number);
  }
}
