package dev.torg.offers.feed;

import dev.torg.platform.PageToken;

/// A position in the list of a task's failures, as an opaque token.
record FeedErrorCursor(int line, long fingerprint) {
  private static final FeedErrorCursor START = new FeedErrorCursor(-1, 0);

  static FeedErrorCursor parse(String token) {
    if (token.isEmpty()) {
      return START;
    }
    try {
      String[] parts = token.split("\\.", 2);
      return new FeedErrorCursor(
          Integer.parseInt(parts[0], Character.MAX_RADIX),
          Long.parseLong(parts[1], Character.MAX_RADIX));
    } catch (RuntimeException e) {
      throw PageToken.invalid();
    }
  }

  String token() {
    return Integer.toString(line, Character.MAX_RADIX)
        + "."
        + Long.toString(fingerprint, Character.MAX_RADIX);
  }
}
