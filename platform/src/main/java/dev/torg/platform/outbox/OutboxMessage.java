package dev.torg.platform.outbox;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import java.util.List;

/// An event on its way to a topic: of one key in the order of `seq`, which the aggregate's row keeps
/// ([Seq]). Home, seq, topic and key together are unique.
@SuppressWarnings("ArrayRecordComponent") // Tens of thousands a second: the bytes are not copied.
public record OutboxMessage(Home home, long seq, String topic, String key, byte[] payload) {
  /// Bytes of a payload. Requests are bounded far below it; a larger event would come from a mistake
  /// of ours, and every consumer would have to hold thousands of them.
  public static final int MAX_BYTES = 1 << 20;

  public OutboxMessage {
    if (payload.length > MAX_BYTES) {
      throw new Failure(
          Failure.Kind.INVALID,
          "event.too-large",
          "the change is too large to be recorded",
          List.of(),
          new IllegalArgumentException(
              "an event of %d bytes for %s, key %s".formatted(payload.length, topic, key)));
    }
  }
}
