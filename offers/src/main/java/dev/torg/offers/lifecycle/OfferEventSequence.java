package dev.torg.offers.lifecycle;

/// The order of an offer's events: the clock in µs, raised above the part's former one. A stage is
/// written without the offer's lock, so the two share no counter: offers take the even numbers and
/// stages the odd ones, and never meet in the outbox.
public final class OfferEventSequence {
  private OfferEventSequence() {}

  public static long ofOffer(long at, long former) {
    long next = Math.max(at, former + 1);
    return next + (next & 1);
  }

  /// To be raised above the former one in steps of two.
  public static long ofStage(long at) {
    return at | 1;
  }
}
