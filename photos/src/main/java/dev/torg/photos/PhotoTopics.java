package dev.torg.photos;

/// The Kafka topics between the modules that show photos and the one that prepares them.
public interface PhotoTopics {
  /// Requests for photos that a user waits for, keyed by photo.
  String REQUESTS = "torg.photos.requests";

  /// Requests of feeds, keyed by photo. A separate topic, so that the photos of a large feed do not delay
  /// interactive requests.
  String BULK_REQUESTS = "torg.photos.requests.bulk";

  /// Outcomes, keyed by the offer or draft that requested the photo.
  String ANSWERS = "torg.photos";
}
