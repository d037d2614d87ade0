package dev.torg.offers.life;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Makes an offer, from its content or from a draft. A draft is published once; publishing it again
/// leads to the offer it became.
public record Publish(
    OfferId id, String seller, Offer content, Optional<DraftKey> draft, Terms terms, long at)
    implements OfferCommand {

  /// The code of the failure after which the caller tries again with another id.
  public static final String ID_TAKEN = "offer.id-taken";

  public static Failure idTaken() {
    return Failure.conflict(ID_TAKEN, "this id is taken");
  }

  @Override
  public Decision decide(Situation situation) {
    if (situation.offer().isPresent()) {
      throw idTaken();
    }
    if (draft.isEmpty()) {
      return make(content);
    }
    PublishableDraft found =
        situation
            .draft()
            .orElseThrow(() -> Failure.notFound("draft.not-found", "no such draft"));
    return found.offer().isPresent()
        ? new Decision.Elsewhere(found.offer().get())
        : make(found.content());
  }

  private Decision make(Offer content) {
    Offer.Builder offer =
        Offer.newBuilder()
            .setId(id.toString())
            .setDisplayId(id.display())
            .setSellerId(seller)
            .setCreatedAt(Micros.timestamp(at));
    terms.accept(offer, content);
    List<Effect> effects = new ArrayList<>();
    draft.ifPresent(key -> effects.add(new Effect.DraftPublished(key)));
    if (offer.getStatus() == Status.ACTIVE) {
      terms.activate(offer, at);
    } else {
      effects.add(new Effect.Queued(Effect.Cause.PENDING));
    }
    return new Decision.Change(offer, true, effects);
  }
}
