package dev.torg.platform;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Checks common to page tokens: callers send them back, possibly altered, and they must name a
/// valid position of a list.
public final class PageToken {
  /// Later than any row.
  public static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

  private static final long LATEST_MICROS = ChronoUnit.MICROS.between(Instant.EPOCH, LATEST);

  private PageToken() {}

  public static Instant time(long micros) {
    if (micros < 0 || micros > LATEST_MICROS) {
      throw invalid();
    }
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /// A text that a column can hold.
  public static String text(String text) {
    if (text.indexOf('\0') >= 0) {
      throw invalid();
    }
    return text;
  }

  public static Failure invalid() {
    return Failure.invalid(
        "page.token", "bad page token", "pageToken", "is not a token of this list");
  }
}
