package dev.torg.offers.dashboard;

import dev.torg.offers.store.PresetStore.Place;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.PageToken;

/// A position in a list, as an opaque token. It contains a key rather than an offset, so concurrent
/// insertions and deletions do not move it.
final class PresetCursor {
  /// Sorts after every offer.
  private static final Place START = new Place(PageToken.LATEST, 0);

  private PresetCursor() {}

  static Place parse(String token) {
    if (token.isEmpty()) {
      return START;
    }
    try {
      String[] parts = token.split("\\.", 2);
      return new Place(
          PageToken.time(Long.parseLong(parts[0], Character.MAX_RADIX)),
          Long.parseLong(parts[1], Character.MAX_RADIX));
    } catch (RuntimeException e) {
      throw PageToken.notOurs();
    }
  }

  static String token(Place place) {
    return Long.toString(EpochMicros.of(place.createdAt()), Character.MAX_RADIX)
        + "."
        + Long.toString(place.offer(), Character.MAX_RADIX);
  }
}
