package dev.torg.offers;

/// The Kafka topics that this module owns or shares with a module above it. Those of photos are in
/// [dev.torg.photos.PhotoTopics].
public interface OfferTopics {
  /// Every change of an offer or of one of its stages, keyed by offer.
  String OFFERS = "torg.offers";

  /// Opinions of external moderators, keyed by offer.
  String MODERATION = "torg.moderation";

  /// Tasks of feeds that finished, were stopped or failed, keyed by seller and task.
  String FEEDS = "torg.feeds";

  /// The promotion services that items of feeds ask for, keyed by seller.
  String FEED_PROMOTIONS = "torg.feeds.promotions";

  /// Active promotion services, keyed by entity. Consumed here and written by module `promotions`, which owns it.
  String PROMOTIONS = "torg.promotions";
}
