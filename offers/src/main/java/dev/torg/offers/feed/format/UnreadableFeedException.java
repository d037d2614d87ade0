package dev.torg.offers.feed.format;

/// The feed cannot be read any further. What it says of the feed's own text is cut and cleaned.
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

  /// Where, from 1; 0 when that is not known.
  public int line() {
    return line;
  }

  /// As one more failure of the feed.
  public FeedEntry.Invalid entry() {
    return new FeedEntry.Invalid(line, "", code, describe(), 0);
  }

  public String describe() {
    String message = getMessage();
    return message == null ? code : message;
  }
}
