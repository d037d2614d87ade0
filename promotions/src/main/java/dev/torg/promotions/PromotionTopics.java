package dev.torg.promotions;

import dev.torg.offers.OfferTopics;

/// The Kafka topics that this module owns.
public interface PromotionTopics {
  /// The active services of an entity after each change, keyed by entity.
  String PROMOTIONS = OfferTopics.PROMOTIONS;
}
