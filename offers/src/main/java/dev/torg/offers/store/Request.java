package dev.torg.offers.store;

import dev.torg.offers.life.OfferCommand;
import dev.torg.platform.OfferId;

/// A command and the token by which its row is known again when the answer to COMMIT is lost.
record Request(OfferCommand command, long token) {
  OfferId id() {
    return command.id();
  }
}
