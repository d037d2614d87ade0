package dev.torg.offers.feed.read;

/// The feed cannot be read any further. What it says of the feed's own text is cut and cleaned.
public final class BrokenFeed extends Exception {
  private final String code;
  private final int line;

  public BrokenFeed(String code, String message, int line) {
    super(Entry.Broken.shown(message));
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
  public Entry.Broken entry() {
    return new Entry.Broken(line, "", code, said(), 0);
  }

  public String said() {
    String message = getMessage();
    return message == null ? code : message;
  }
}
