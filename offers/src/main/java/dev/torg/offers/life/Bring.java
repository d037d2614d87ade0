package dev.torg.offers.life;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.offers.category.CheckedOffer;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A feed names an item. A new one is published. An offer that is there is edited as its owner would
/// edit it; what has expired is on sale again, and what was removed comes back, neither of them as
/// news. A ban stays.
public record Bring(
    OfferId id, String seller, Kind kind, Item item, Terms terms, long at)
    implements OfferCommand {
  /// Whether the offer has to be made, or is there.
  public enum Kind {
    NEW,
    KNOWN
  }

  /// What the feed says: the content, and where the photos are found.
  public record Item(CheckedOffer checked, List<String> photoUrls, long feedTask) {}

  /// Of its lifetime: an offer that ends within this part of it is prolonged, being still in the feed.
  private static final int SOON = 20;

  @Override
  public boolean needsModeration() {
    return kind == Kind.KNOWN;
  }

  @Override
  public Decision decide(Situation situation) {
    if (kind == Kind.NEW) {
      return new Publish(id, seller, new Publish.Source.Content(checked()), terms, at)
          .decide(situation);
    }
    StoredOffer current = situation.existing();
    return current.status() == Status.REMOVED
        ? revived(current, situation.moderation().getFormerStatus() != 0)
        : edited(current);
  }

  private Decision edited(StoredOffer current) {
    Life.requireEditable(current.status());
    Edit.requireModerationKept(current, checked().category());
    Offer.Builder after = Terms.said(current.shown().toBuilder(), checked().content());
    boolean says = !after.build().equals(current.shown());
    boolean expired = current.status() == Status.EXPIRED;
    if (expired) {
      Life.move(after, Status.ACTIVE);
      terms.activate(after, at);
    } else if (current.status() == Status.ACTIVE && endsSoon(after)) {
      terms.prolong(after, at);
    }
    if (after.build().equals(current.shown())) {
      return new Decision.Keep(List.of());
    }
    return new Decision.Change(after, says, expired, again(current, says));
  }

  private CheckedOffer checked() {
    return item.checked();
  }

  /// How long before its end an offer is prolonged.
  public static Duration soon(Terms terms) {
    return terms.lifetime().dividedBy(SOON);
  }

  private boolean endsSoon(Offer.Builder offer) {
    return Micros.of(offer.getExpiresAt()) <= at + Micros.of(soon(terms));
  }

  private static List<Effect> again(StoredOffer current, boolean says) {
    Optional<Effect> again = says ? Edit.again(current.status()) : Optional.empty();
    return again.map(List::of).orElse(List.of());
  }

  /// Nobody gets around a ban or moderation by leaving an item out for a while.
  private Decision revived(StoredOffer current, boolean banned) {
    Offer.Builder after = current.shown().toBuilder();
    boolean says = !Terms.said(after, checked().content()).build().equals(current.shown());
    if (banned) {
      Life.revive(after, Status.BANNED);
      return new Decision.Change(
          after, says, true, says ? List.of(new Effect.Queued(Effect.Cause.EDITED)) : List.of());
    }
    if (needsApproval(current)) {
      Life.revive(after, Status.PENDING);
      return new Decision.Change(
          after, says, true, List.of(new Effect.Queued(Effect.Cause.PENDING)));
    }
    Life.revive(after, Status.ACTIVE);
    terms.activate(after, at);
    return new Decision.Change(after, says, true, List.of());
  }

  private boolean needsApproval(StoredOffer current) {
    boolean wasActive = current.shown().hasActivatedAt() || current.shown().hasExpiresAt();
    boolean moved = !checked().category().id().equals(current.shown().getCategory());
    return checked().category().premoderated() && (moved || !wasActive);
  }
}
