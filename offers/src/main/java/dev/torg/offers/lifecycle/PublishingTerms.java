package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.offers.category.CategoryNode;
import dev.torg.offers.category.OfferValidator;
import dev.torg.platform.EpochMicros;
import java.time.Duration;
import java.util.Optional;

/// The rules that offers are validated against, and their lifetime.
public record PublishingTerms(OfferValidator rules, Duration lifetime) {
  /// The category of a stored offer; empty if it is no longer in the tree.
  public Optional<CategoryNode> category(Offer.Builder offer) {
    return rules.category(offer.getCategory());
  }

  /// An offer with an expiry time was active before, so an imported offer never counts as new.
  public void activate(Offer.Builder offer, long at) {
    if (!offer.hasActivatedAt() && !offer.hasExpiresAt()) {
      offer.setActivatedAt(EpochMicros.timestamp(at));
    }
    prolong(offer, at);
  }

  void prolong(Offer.Builder offer, long at) {
    long until = at + EpochMicros.of(lifetime);
    if (until > EpochMicros.of(offer.getExpiresAt())) {
      offer.setExpiresAt(EpochMicros.timestamp(until));
    }
  }

  /// Copies the content that the seller states. Everything else is set by Torg.
  public static Offer.Builder copySellerContent(Offer.Builder offer, Offer content) {
    offer
        .setCategory(content.getCategory())
        .setTitle(content.getTitle())
        .setDescription(content.getDescription())
        .setRegion(content.getRegion())
        .setExternalId(content.getExternalId())
        .clearPrice()
        .clearAttributes()
        .putAllAttributes(content.getAttributesMap());
    return content.hasPrice() ? offer.setPrice(content.getPrice()) : offer;
  }
}
