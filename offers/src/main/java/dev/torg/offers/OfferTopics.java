package dev.torg.offers;

/// The Kafka topics that this module owns. Those of photos are in [dev.torg.photos.PhotoTopics].
public interface OfferTopics {
  /// Every change of an offer or of one of its stages, keyed by offer.
  String OFFERS = "torg.offers";

  /// Opinions of external moderators, keyed by offer.
  String MODERATION = "torg.moderation";

  /// Tasks of feeds that finished, were stopped or failed, keyed by seller and task.
  String FEEDS = "torg.feeds";
}
