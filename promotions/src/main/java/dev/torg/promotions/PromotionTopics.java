package dev.torg.promotions;

/// The Kafka topics that this module owns.
public interface PromotionTopics {
  /// The active services of an entity after each change, keyed by entity.
  String PROMOTIONS = "torg.promotions";
}
