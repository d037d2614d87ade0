package dev.torg.offers;

import dev.torg.api.v1.Offer;
import java.util.List;

/// Active offers in the order in which they expire.
///
/// @param next where the next page begins
/// @param last whether no further offers expire in the period
public record ExpiringPage(List<Offer> offers, ExpiryCursor next, boolean last) {
  public ExpiringPage {
    offers = List.copyOf(offers);
  }
}
