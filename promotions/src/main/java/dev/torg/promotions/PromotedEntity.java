package dev.torg.promotions;

import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import java.util.Comparator;

/// What a paid service applies to: for now an offer. It is in the home of its seller.
public record PromotedEntity(Home home, String type, String id)
    implements Comparable<PromotedEntity> {
  public static final String OFFER = "offer";

  private static final Comparator<PromotedEntity> ORDER =
      Comparator.comparing(PromotedEntity::home)
          .thenComparing(PromotedEntity::type)
          .thenComparing(PromotedEntity::id);

  public static PromotedEntity of(OfferId offer) {
    return new PromotedEntity(offer.home(), OFFER, offer.toString());
  }

  public boolean isOffer() {
    return type.equals(OFFER);
  }

  /// The offer, for entities of that type.
  public OfferId offer() {
    if (!isOffer()) {
      throw new IllegalStateException("not an offer: " + this);
    }
    return OfferId.parse(id);
  }

  /// In the order of the keys of all tables.
  @Override
  public int compareTo(PromotedEntity other) {
    return ORDER.compare(this, other);
  }
}
