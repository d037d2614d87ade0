package dev.torg.promotions.intent;

import dev.torg.platform.OfferId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Services that the offer with an external id should have.
///
/// @param version grows with every arrival and wake-up
/// @param arrived the time of the last arrival that was applied, in microseconds
/// @param attempts examinations in a row that failed for lack of a price
/// @param offer the offer that was found last
/// @param runAt when it is examined; empty: it waits for an event
public record Intent(
    IntentKey key,
    List<String> services,
    IntentState state,
    long version,
    long arrived,
    int attempts,
    Optional<OfferId> offer,
    Optional<Instant> runAt) {
  public Intent {
    services = List.copyOf(services);
  }

  /// An intent that has arrived for the first time.
  static Intent of(IntentArrival arrival, Instant now) {
    return new Intent(
        arrival.key(),
        arrival.services(),
        IntentState.WAITING_FOR_OFFER,
        1,
        arrival.at(),
        0,
        Optional.empty(),
        Optional.of(now));
  }

  /// The same intent after an arrival, to be examined. One that waits for the balance keeps waiting for it until the
  /// examination, and so does not count as paid meanwhile.
  Intent repeated(IntentArrival arrival, Instant now) {
    boolean isSame = services.equals(arrival.services()) && state != IntentState.REMOVED;
    IntentState next =
        isSame || state == IntentState.WAITING_FOR_BALANCE ? state : IntentState.WAITING_FOR_OFFER;
    return new Intent(
        key, arrival.services(), next, version + 1, arrival.at(), 0, offer, Optional.of(now));
  }

  Intent removed(long at) {
    return new Intent(
        key,
        List.of(),
        IntentState.REMOVED,
        version + 1,
        Math.max(at, arrived + 1),
        0,
        Optional.empty(),
        Optional.empty());
  }

  /// To be examined because what it waits for may have happened.
  Intent woken(Instant now) {
    return new Intent(
        key, services, state, version + 1, arrived, attempts, offer, Optional.of(now));
  }

  /// After an examination.
  Intent examined(IntentState next, int failed, Optional<OfferId> found, Optional<Instant> again) {
    return new Intent(key, services, next, version + 1, arrived, failed, found, again);
  }

  boolean isDue(Instant now) {
    return runAt.isPresent() && !runAt.get().isAfter(now);
  }

  boolean isRemoved() {
    return state == IntentState.REMOVED;
  }
}
