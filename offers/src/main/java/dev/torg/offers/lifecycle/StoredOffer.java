package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.OfferId;

/// A main row: the offer as users see it, and internal columns.
public record StoredOffer(OfferId id, long seq, long editedVersion, Offer shown) {
  public String seller() {
    return shown.getSellerId();
  }

  public Status status() {
    return shown.getStatus();
  }

  public long version() {
    return shown.getVersion();
  }
}
