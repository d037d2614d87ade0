package dev.torg.offers.store;

import dev.torg.offers.lifecycle.OfferCommand;
import dev.torg.platform.OfferId;
import dev.torg.platform.idempotency.IdempotentRequest;
import java.util.Optional;

/// A command, the token that identifies its row if the result of COMMIT is lost, and the caller's
/// idempotency key, if any.
record OfferWriteRequest(OfferCommand command, long token, Optional<IdempotentRequest> keyed) {
  OfferId id() {
    return command.id();
  }
}
