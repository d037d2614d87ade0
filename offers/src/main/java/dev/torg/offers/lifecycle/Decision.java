package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.platform.OfferId;
import java.util.List;

/// The result of deciding a command.
public sealed interface Decision {
  /// The new state of the offer. Version, update time and everything derived are set by the writer.
  ///
  /// @param edited whether the offer shows new content ([Review])
  /// @param silent whether subscribers are not notified of it as new
  record Change(Offer.Builder after, boolean edited, boolean silent, List<Effect> effects)
      implements Decision {
    public Change(Offer.Builder after, boolean edited, List<Effect> effects) {
      this(after, edited, false, effects);
    }
  }

  /// The offer stays as it is; effects may still be recorded.
  record NoChange(List<Effect> effects) implements Decision {}

  /// The result is another offer, created before.
  record ExistingOffer(OfferId offer) implements Decision {}

  static Decision change(Offer.Builder after, Effect... effects) {
    return new Change(after, false, List.of(effects));
  }
}
