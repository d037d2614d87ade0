package dev.torg.offers.feed;

/// How many messages a stream may request from its sender. One message at a time is requested while the
/// queue contains few bytes, so the queue is bounded by bytes, whatever the size of messages. Every method
/// returns how many messages to request now.
final class DemandByBytes {
  private final int maxMessages;
  private final long maxBytes;
  private int requested;
  private int queuedMessages;
  private long queuedBytes;

  DemandByBytes(int maxMessages, long maxBytes) {
    this.maxMessages = maxMessages;
    this.maxBytes = maxBytes;
  }

  synchronized int start() {
    return next();
  }

  /// A message has arrived and is queued.
  synchronized int queued(int bytes) {
    requested--;
    queuedMessages++;
    queuedBytes += bytes;
    return next();
  }

  /// A message was removed from the queue.
  synchronized int consumed(int bytes) {
    queuedMessages--;
    queuedBytes -= bytes;
    return next();
  }

  private int next() {
    if (requested > 0 || queuedMessages >= maxMessages || queuedBytes >= maxBytes) {
      return 0;
    }
    requested++;
    return 1;
  }
}
