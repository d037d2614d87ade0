package dev.torg.offers;

import dev.torg.api.v1.Offer;
import java.util.List;

/// A page of a home's active offers in the order of their ids.
///
/// @param lastId where the next page begins
/// @param last whether nothing follows
public record ActiveOfferPage(List<Offer> offers, long lastId, boolean last) {
  public ActiveOfferPage {
    offers = List.copyOf(offers);
  }
}
