package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.category.ValidatedOffer;
import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.part.PhotosPart;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Applies an item of a feed. A new item is published. An existing offer is edited as by its owner; an
/// expired one is reactivated and a removed one restored, and neither counts as new. A ban stays, and
/// content that needs approval is reviewed ([Review]).
public record UpsertFromFeed(
    OfferId id, String seller, Kind kind, Item item, PublishingTerms terms, long at)
    implements OfferCommand {
  /// How the item relates to existing offers.
  public enum Kind {
    CREATE,
    UPDATE,
    /// The offer exists and the item has not changed since the last feed, so the owner's changes are kept.
    UNCHANGED
  }

  /// The content of the item, and the addresses of its photos.
  public record Item(ValidatedOffer checked, List<String> photoUrls, long feedTask) {}

  /// An offer still in the feed is prolonged within this fraction of its lifetime before it expires: by default 6 days, so
  /// that sellers whose feeds come more often are not notified that their offers expire in 3 days.
  private static final int PROLONG_WINDOW_DIVISOR = 10;

  @Override
  public boolean needsModeration() {
    return kind != Kind.CREATE;
  }

  @Override
  public boolean needsPhotos() {
    return kind != Kind.CREATE;
  }

  @Override
  public Decision decide(Situation situation) {
    if (kind == Kind.CREATE) {
      return create(
          new PublishOffer(id, seller, new PublishOffer.Source.Content(checked()), terms, at),
          situation);
    }
    StoredOffer current = situation.existing();
    return current.status() == Status.REMOVED
        ? restore(current, situation)
        : update(current, situation);
  }

  private Decision create(PublishOffer publish, Situation situation) {
    Decision decision = publish.decide(situation);
    if (decision instanceof Decision.Change change && !item.photoUrls().isEmpty()) {
      List<Effect> effects = new ArrayList<>(change.effects());
      effects.addAll(updatePhotos(change.after(), situation));
      return new Decision.Change(change.after(), change.edited(), change.silent(), effects);
    }
    return decision;
  }

  /// Replaces the offer's photos by those of the item. If the item has none, photos uploaded by the owner
  /// stay and those of earlier feeds are removed.
  private List<Effect> updatePhotos(Offer.Builder after, Situation situation) {
    PhotoList photos = PhotoList.of(after.getPhotosList(), situation.photos());
    if (!isChanged(photos, situation)) {
      return List.of();
    }
    after.clearPhotos().addAllPhotos(photos.shown());
    List<Effect> effects = new ArrayList<>();
    effects.add(
        new Effect.PhotosChanged(photos.part(), photos.requested(), photos.removed(), true));
    for (int i = 0; i < photos.failed(); i++) {
      effects.add(new Effect.PhotoFailed(item.feedTask()));
    }
    return effects;
  }

  private boolean isChanged(PhotoList photos, Situation situation) {
    if (kind == Kind.UNCHANGED) {
      return photos.retryFailed(item.feedTask(), at);
    }
    return item.photoUrls().isEmpty()
        ? dropFed(photos, situation.photos())
        : photos.replaceWith(item.photoUrls(), item.feedTask(), at);
  }

  private static boolean dropFed(PhotoList photos, PhotosPart part) {
    boolean changed = false;
    for (PhotoSource source : part.getPhotosList()) {
      if (source.getFeedTask() != 0 && photos.shown(source.getId()).isPresent()) {
        photos.remove(source.getId());
        changed = true;
      }
    }
    return changed;
  }

  private Decision update(StoredOffer current, Situation situation) {
    StatusTransitions.requireEditable(current.status());
    Offer.Builder after = content(current);
    List<Effect> effects = new ArrayList<>(updatePhotos(after, situation));
    boolean changed = kind == Kind.UPDATE && !after.build().equals(current.shown());
    boolean more = changed && Review.showsMore(current.shown(), after);
    boolean expired = current.status() == Status.EXPIRED;
    if (expired) {
      StatusTransitions.transition(after, Status.ACTIVE);
      terms.activate(after, at);
    } else if (current.status() == Status.ACTIVE && isWithinProlongWindow(after)) {
      terms.prolong(after, at);
    }
    if (after.build().equals(current.shown())) {
      return new Decision.NoChange(List.of());
    }
    if (changed || expired) {
      boolean unapproved = expired && !Review.isApproved(current, situation.moderation());
      effects.addAll(
          Review.ofEdit(current.shown(), after, more || unapproved, terms.category(after)));
    }
    return new Decision.Change(after, more, expired, effects);
  }

  private Offer.Builder content(StoredOffer current) {
    if (kind == Kind.UNCHANGED) {
      return current.shown().toBuilder();
    }
    EditOffer.requireSameModeration(current, checked().category());
    return PublishingTerms.copySellerContent(current.shown().toBuilder(), checked().content());
  }

  private ValidatedOffer checked() {
    return item.checked();
  }

  /// How long before its expiry an offer is prolonged.
  public static Duration prolongWindow(PublishingTerms terms) {
    return terms.lifetime().dividedBy(PROLONG_WINDOW_DIVISOR);
  }

  private boolean isWithinProlongWindow(Offer.Builder offer) {
    return EpochMicros.of(offer.getExpiresAt()) <= at + EpochMicros.of(prolongWindow(terms));
  }

  /// Omitting an item for a while must not evade moderation: a ban stays, and in a premoderated category
  /// the offer is reviewed whether it changed or not.
  private Decision restore(StoredOffer current, Situation situation) {
    Offer.Builder after =
        PublishingTerms.copySellerContent(current.shown().toBuilder(), checked().content());
    List<Effect> effects = new ArrayList<>(updatePhotos(after, situation));
    boolean more = Review.showsMore(current.shown(), after);
    if (situation.moderation().getFormerStatus() != 0) {
      StatusTransitions.restoreRemoved(after, Status.BANNED);
      effects.add(new Effect.Enqueued(Effect.Cause.EDITED));
    } else if (wasNeverApproved(current)) {
      StatusTransitions.restoreRemoved(after, Status.PENDING);
      effects.add(new Effect.Enqueued(Effect.Cause.PENDING));
    } else {
      StatusTransitions.restoreRemoved(after, Status.ACTIVE);
      terms.activate(after, at);
      effects.addAll(Review.request(after, terms.category(after)));
    }
    return new Decision.Change(after, more, true, effects);
  }

  /// Whether the item's category is premoderated and the offer was never active in it.
  private boolean wasNeverApproved(StoredOffer current) {
    boolean wasActive = current.shown().hasActivatedAt() || current.shown().hasExpiresAt();
    boolean changesCategory = !checked().category().id().equals(current.shown().getCategory());
    return checked().category().premoderated() && (changesCategory || !wasActive);
  }
}
