package dev.torg.promotions.apply;

import dev.torg.api.v1.Offer;
import java.util.List;

/// An offer some of whose services have ended at their time.
///
/// @param services as the seller bought them: of a bundle only the bundle
/// @param seq of the event that reports it
record EndedOffer(Offer offer, List<String> services, long seq) {
  EndedOffer {
    services = List.copyOf(services);
  }
}
