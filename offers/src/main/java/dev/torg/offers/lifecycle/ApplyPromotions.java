package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.offers.part.PromotionsPart;
import dev.torg.platform.OfferId;
import java.util.List;

/// Shows the active promotion services of an offer, whatever its status. They are no content of the seller: the change
/// is neither an edit nor reviewed.
///
/// @param services all active services
/// @param seq orders the events about the offer; only a higher one than the last is applied
public record ApplyPromotions(OfferId id, List<String> services, long seq, long at)
    implements OfferCommand {
  public ApplyPromotions {
    services = List.copyOf(services);
  }

  @Override
  public boolean needsPromotions() {
    return true;
  }

  @Override
  public Decision decide(Situation situation) {
    Offer shown = situation.existing().shown();
    if (seq <= situation.promotions().getSeq()) {
      return new Decision.NoChange(List.of());
    }
    Effect applied = new Effect.PromotionsChanged(PromotionsPart.newBuilder().setSeq(seq).build());
    if (services.equals(shown.getPromotionsList())) {
      return new Decision.NoChange(List.of(applied));
    }
    return Decision.change(shown.toBuilder().clearPromotions().addAllPromotions(services), applied);
  }
}
