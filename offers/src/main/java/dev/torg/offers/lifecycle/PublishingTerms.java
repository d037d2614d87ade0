package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.offers.category.CategoryNode;
import dev.torg.offers.category.OfferValidator;
import dev.torg.platform.EpochMicros;
import java.time.Duration;
import java.util.Optional;

/// On which terms offers are taken: the rules they keep and how long they stay.
public record PublishingTerms(OfferValidator rules, Duration lifetime) {
  /// The category of a stored offer; empty when the tree has lost it since.
  public Optional<CategoryNode> category(Offer.Builder offer) {
    return rules.category(offer.getCategory());
  }

  /// What has an end has been active before: an imported offer keeps that it was never new here.
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

  /// Copies what a seller says about an offer; everything else is Torg's to decide.
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
