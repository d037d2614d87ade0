package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;
import java.util.List;

/// What a command makes of an offer.
public sealed interface Decision {
  /// The offer as it shall be. Version, update time and everything derived are the writer's to set.
  ///
  /// @param edited it shows something that it did not show before ([Review])
  /// @param silent whether subscribers are not notified of it as new
  record Change(Offer.Builder after, boolean edited, boolean silent, List<Effect> effects)
      implements Decision {
    public Change(Offer.Builder after, boolean edited, List<Effect> effects) {
      this(after, edited, false, effects);
    }
  }

  /// The offer stays as it is; effects may still be recorded.
  record NoChange(List<Effect> effects) implements Decision {}

  /// The answer is another offer, made before.
  record ExistingOffer(OfferId offer) implements Decision {}

  static Decision change(Offer.Builder after, Effect... effects) {
    return new Change(after, false, List.of(effects));
  }
}
