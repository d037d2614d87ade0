package dev.torg.platform.kafka;

import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/// The position of a group in a partition: the offset of the first event not handled yet, and the time of the
/// last one handled, which is committed as metadata so that the next owner knows it.
record CommittedPosition(long offset, Optional<Instant> lastHandled) {
  static final CommittedPosition NOTHING = new CommittedPosition(0, Optional.empty());

  /// Events read again lie before the committed offset and change nothing.
  CommittedPosition and(Event last) {
    return last.offset() < offset
        ? this
        : new CommittedPosition(last.offset() + 1, Optional.of(last.at()));
  }

  OffsetAndMetadata toCommit() {
    return new OffsetAndMetadata(
        offset, lastHandled.map(at -> Long.toString(at.toEpochMilli())).orElse(""));
  }

  static CommittedPosition of(@Nullable OffsetAndMetadata committed) {
    return committed == null
        ? NOTHING
        : new CommittedPosition(committed.offset(), time(committed.metadata()));
  }

  /// Another client, such as an operator who resets a group, may have committed without metadata.
  private static Optional<Instant> time(String metadata) {
    try {
      return Optional.of(Instant.ofEpochMilli(Long.parseLong(metadata)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
