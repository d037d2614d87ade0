package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Photo;
import dev.torg.offers.category.ValidatedOffer;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Publishes an offer from content or from a draft. A draft is published once; publishing it again returns
/// the offer that it became.
public record PublishOffer(OfferId id, String seller, Source source, PublishingTerms terms, long at)
    implements OfferCommand {

  /// The source of the content.
  public sealed interface Source {
    record Content(ValidatedOffer content) implements Source {}

    /// Validated at publication, because it may change until then.
    record FromDraft(DraftKey draft) implements Source {}
  }

  /// The code of the failure after which the caller retries with another id.
  public static final String ID_IN_USE = "offer.id-taken";

  public static Failure idInUse() {
    return Failure.conflict(ID_IN_USE, "this id is in use");
  }

  /// The offer is new, so only rows of the seller can be contended for.
  @Override
  public Object lockKey() {
    return seller;
  }

  @Override
  public Decision decide(Situation situation) {
    if (situation.offer().isPresent()) {
      throw idInUse();
    }
    return switch (source) {
      case Source.Content content -> create(content.content(), List.of(), List.of());
      case Source.FromDraft from -> fromDraft(from.draft(), situation);
    };
  }

  public Optional<DraftKey> draft() {
    return source instanceof Source.FromDraft from ? Optional.of(from.draft()) : Optional.empty();
  }

  private Decision fromDraft(DraftKey key, Situation situation) {
    PublishableDraft draft =
        situation.draft().orElseThrow(() -> Failure.notFound("draft.not-found", "no such draft"));
    if (draft.offer().isPresent()) {
      return new Decision.ExistingOffer(draft.offer().get());
    }
    ValidatedOffer checked = terms.rules().check(draft.content());
    List<Effect> effects = new ArrayList<>(List.of(new Effect.DraftPublished(key)));
    draft.photos().ifPresent(effects::add);
    return create(checked, draft.content().getPhotosList(), effects);
  }

  private Decision create(ValidatedOffer checked, List<Photo> photos, List<Effect> with) {
    Offer.Builder offer =
        Offer.newBuilder()
            .setId(id.toString())
            .setDisplayId(id.display())
            .setSellerId(seller)
            .setCreatedAt(EpochMicros.timestamp(at))
            .addAllPhotos(photos);
    PublishingTerms.copySellerContent(offer, checked.content());
    List<Effect> effects = new ArrayList<>(with);
    if (checked.category().premoderated()) {
      offer.setStatus(Status.PENDING);
      effects.add(new Effect.Enqueued(Effect.Cause.PENDING));
    } else {
      terms.activate(offer.setStatus(Status.ACTIVE), at);
    }
    return new Decision.Change(offer, true, effects);
  }
}
