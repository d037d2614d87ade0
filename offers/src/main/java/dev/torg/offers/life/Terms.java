package dev.torg.offers.life;

import dev.torg.api.v1.Offer;
import dev.torg.offers.Category;
import dev.torg.offers.category.OfferRules;
import java.time.Duration;
import java.util.Optional;

/// On which terms offers are taken: the rules they keep and how long they stay.
public record Terms(OfferRules rules, Duration lifetime) {
  /// The category of a stored offer; empty when the tree has lost it since.
  public Optional<Category> category(Offer.Builder offer) {
    return rules.category(offer.getCategory());
  }

  /// What has an end has been active before: an imported offer keeps that it was never new here.
  public void activate(Offer.Builder offer, long at) {
    if (!offer.hasActivatedAt() && !offer.hasExpiresAt()) {
      offer.setActivatedAt(Micros.timestamp(at));
    }
    prolong(offer, at);
  }

  void prolong(Offer.Builder offer, long at) {
    long until = at + Micros.of(lifetime);
    if (until > Micros.of(offer.getExpiresAt())) {
      offer.setExpiresAt(Micros.timestamp(until));
    }
  }

  /// Copies what a seller says about an offer; everything else is Torg's to decide.
  public static Offer.Builder said(Offer.Builder offer, Offer content) {
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
