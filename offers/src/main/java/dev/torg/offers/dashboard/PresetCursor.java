package dev.torg.offers.dashboard;

import dev.torg.offers.store.PresetStore.PresetPosition;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.PageToken;

/// A position in a list, as an opaque token. It contains a key rather than an offset, so concurrent
/// insertions and deletions do not move it.
final class PresetCursor {
  /// Sorts after every offer.
  private static final PresetPosition START = new PresetPosition(PageToken.LATEST, 0);

  private PresetCursor() {}

  static PresetPosition parse(String token) {
    if (token.isEmpty()) {
      return START;
    }
    try {
      String[] parts = token.split("\\.", 2);
      return new PresetPosition(
          PageToken.time(Long.parseLong(parts[0], Character.MAX_RADIX)),
          Long.parseLong(parts[1], Character.MAX_RADIX));
    } catch (RuntimeException e) {
      throw PageToken.invalid();
    }
  }

  static String token(PresetPosition position) {
    return Long.toString(EpochMicros.of(position.createdAt()), Character.MAX_RADIX)
        + "."
        + Long.toString(position.offer(), Character.MAX_RADIX);
  }
}
