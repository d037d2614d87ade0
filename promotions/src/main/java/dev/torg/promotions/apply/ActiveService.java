package dev.torg.promotions.apply;

import java.time.Instant;

/// A service that is active for an entity from `since` until `until`.
///
/// @param source the payment or the reference in the ledger that paid for it last
public record ActiveService(String service, Instant since, Instant until, String source) {
  boolean isActiveAt(Instant time) {
    return time.isBefore(until);
  }

  ActiveService until(Instant end) {
    return new ActiveService(service, since, end, source);
  }
}
