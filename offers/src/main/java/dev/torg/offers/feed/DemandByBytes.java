package dev.torg.offers.feed;

/// How many messages a stream may ask its sender for. It asks for one at a time while the queue holds few bytes, so what
/// waits is bounded by bytes and not by a number of messages of any size. Every method returns how many to ask for now.
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

  /// A message was taken out of the queue.
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
