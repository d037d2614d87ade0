package dev.torg.photos;

import dev.torg.api.v1.PhotoRequest;

/// The priority of a photo request. Each lane has its own topic and consumer; the bulk lane leaves a
/// share of every limited resource to the interactive one.
public enum PhotoLane {
  /// A user waits for the photo.
  INTERACTIVE(PhotoTopics.REQUESTS),
  /// A feed named the photo.
  BULK(PhotoTopics.BULK_REQUESTS);

  private final String topic;

  PhotoLane(String topic) {
    this.topic = topic;
  }

  /// The lane of a request. The outcome of a photo depends neither on its lane nor on the order in which
  /// its request and its removal arrive.
  public static PhotoLane of(PhotoRequest request) {
    return of(request.getFed());
  }

  public static PhotoLane of(boolean requestedByFeed) {
    return requestedByFeed ? BULK : INTERACTIVE;
  }

  public String topic() {
    return topic;
  }
}
