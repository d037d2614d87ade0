package dev.torg.offers.feed.format;

/// The feed cannot be read any further. Quotations from the feed in its message are shortened and
/// sanitized.
public final class UnreadableFeedException extends Exception {
  private final String code;
  private final int line;

  public UnreadableFeedException(String code, String message, int line) {
    super(FeedEntry.Invalid.shown(message));
    this.code = code;
    this.line = line;
  }

  public String code() {
    return code;
  }

  /// The line, from 1; 0 if unknown.
  public int line() {
    return line;
  }

  /// The entry that records this failure.
  public FeedEntry.Invalid entry() {
    return new FeedEntry.Invalid(line, "", code, describe(), 0);
  }

  public String describe() {
    String message = getMessage();
    return message == null ? code : message;
  }
}
