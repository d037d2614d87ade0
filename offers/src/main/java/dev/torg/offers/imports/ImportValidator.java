package dev.torg.offers.imports;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import java.util.Set;

/// Checks what an imported offer states in addition to its content. Pure.
final class ImportValidator {
  private static final Set<Status> IMPORTABLE =
      Set.of(Status.ACTIVE, Status.EXPIRED, Status.SOLD, Status.WITHDRAWN);

  private ImportValidator() {}

  /// The stated status, by default ACTIVE.
  static Status status(Offer offer) {
    Status status =
        offer.getStatus() == Status.STATUS_UNSPECIFIED ? Status.ACTIVE : offer.getStatus();
    if (!IMPORTABLE.contains(status)) {
      throw Failure.invalid(
          "import.status", "bad status", "offer.status", "must be one of " + IMPORTABLE);
    }
    return status;
  }

  /// The stated creation time in microseconds since 1970, by default now.
  static long createdAt(Offer offer, long now) {
    long created = offer.hasCreatedAt() ? EpochMicros.of(offer.getCreatedAt()) : now;
    if (created < 0 || created > now) {
      throw Failure.invalid(
          "import.created-at", "bad time", "offer.createdAt", "must be in the past, after 1970");
    }
    return created;
  }
}
