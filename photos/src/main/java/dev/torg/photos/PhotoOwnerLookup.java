package dev.torg.photos;

import dev.torg.api.v1.Offer;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.util.List;
import java.util.Optional;

/// What this module needs to know about the offers that show photos. Implemented by module `offers`. Both
/// methods block.
public interface PhotoOwnerLookup {
  /// The current status of an offer, archived ones included.
  Optional<Offer.Status> status(OfferId offer);

  /// The photos of the next offers of a home that have any, in the order of the offers' ids.
  Page page(Home home, long afterOffer, int maxOffers);

  /// @param offers how many offers were read
  /// @param last the number of the last of them
  record Page(List<OwnedPhoto> photos, int offers, long last) {
    public Page {
      photos = List.copyOf(photos);
    }
  }

  /// A photo and the offer that shows it.
  record OwnedPhoto(String photo, OfferId offer) {
    public Home home() {
      return PhotoIds.home(photo);
    }
  }
}
