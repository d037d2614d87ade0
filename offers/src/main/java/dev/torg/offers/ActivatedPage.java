package dev.torg.offers;

import dev.torg.api.v1.Offer;
import java.util.List;

/// A page of offers in the order of first activation.
///
/// @param offers those that meet the conditions
/// @param unreadable rows whose body cannot be parsed; they are logged and omitted
/// @param next where the next page begins
/// @param last whether nothing follows
public record ActivatedPage(
    List<Offer> offers, int unreadable, ActivationCursor next, boolean last) {
  public ActivatedPage {
    offers = List.copyOf(offers);
  }
}
