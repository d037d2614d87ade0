package dev.torg.offers.store;

import dev.torg.offers.life.StoredOffer;
import dev.torg.platform.OfferId;

/// What a command led to.
public sealed interface Written {
  /// The offer as it is now.
  record Here(StoredOffer offer) implements Written {}

  /// The answer is another offer, made before.
  record Elsewhere(OfferId offer) implements Written {}
}
