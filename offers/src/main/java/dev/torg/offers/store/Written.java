package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;

/// What a command led to.
public sealed interface Written {
  /// The offer as it is now.
  record Here(Offer offer) implements Written {}

  /// The answer is another offer, made before.
  record Elsewhere(OfferId offer) implements Written {}
}
