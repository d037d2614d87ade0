package dev.torg.offers.moderation;

import dev.torg.offers.store.ModerationQueueStore.Entry;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import dev.torg.platform.PageToken;
import java.time.Instant;

/// A position in the queue, as an opaque token.
record QueueCursor(Instant since, OfferId offer) {
  private static final QueueCursor START = new QueueCursor(Instant.EPOCH, new OfferId(0));

  static QueueCursor after(Entry entry) {
    return new QueueCursor(entry.since(), entry.offer());
  }

  static QueueCursor parse(String token) {
    if (token.isEmpty()) {
      return START;
    }
    try {
      String[] parts = token.split("\\.", 2);
      return new QueueCursor(
          PageToken.time(Long.parseLong(parts[0], Character.MAX_RADIX)),
          new OfferId(Long.parseLong(parts[1], Character.MAX_RADIX)));
    } catch (RuntimeException e) {
      throw PageToken.invalid();
    }
  }

  String token() {
    return Long.toString(EpochMicros.of(since), Character.MAX_RADIX)
        + "."
        + Long.toString(offer.number(), Character.MAX_RADIX);
  }
}
