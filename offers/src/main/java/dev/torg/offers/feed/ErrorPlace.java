package dev.torg.offers.feed;

import dev.torg.platform.PageToken;

/// A place in the list of a task's failures, as an opaque token.
record ErrorPlace(int line, long fingerprint) {
  private static final ErrorPlace START = new ErrorPlace(-1, 0);

  static ErrorPlace parse(String token) {
    if (token.isEmpty()) {
      return START;
    }
    try {
      String[] parts = token.split("\\.", 2);
      return new ErrorPlace(
          Integer.parseInt(parts[0], Character.MAX_RADIX),
          Long.parseLong(parts[1], Character.MAX_RADIX));
    } catch (RuntimeException e) {
      throw PageToken.notOurs();
    }
  }

  String token() {
    return Integer.toString(line, Character.MAX_RADIX)
        + "."
        + Long.toString(fingerprint, Character.MAX_RADIX);
  }
}
