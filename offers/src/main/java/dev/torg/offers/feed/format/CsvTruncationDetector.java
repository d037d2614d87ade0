package dev.torg.offers.feed.format;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/// Observes a CSV as it is read and detects whether it ended within a line or within quotes.
final class CsvTruncationDetector extends FilterReader {
  private Place place = Place.START;
  private boolean lineEnd = true;
  private boolean ended;

  /// The position within a cell.
  private enum Place {
    START,
    PLAIN,
    QUOTED,
    /// A quote within quotes: either the closing quote or the first half of an escaped one.
    BEHIND_QUOTE
  }

  CsvTruncationDetector(Reader in) {
    super(in);
  }

  /// Whether the text ended within a line.
  boolean isCutOff() {
    return ended && !lineEnd;
  }

  /// Whether the text ended within a quoted cell.
  boolean hasOpenQuote() {
    return ended && place == Place.QUOTED;
  }

  @Override
  public int read() throws IOException {
    int c = super.read();
    ended = c < 0;
    if (!ended) {
      see((char) c);
    }
    return c;
  }

  @Override
  public int read(char[] buffer, int offset, int length) throws IOException {
    int count = super.read(buffer, offset, length);
    ended = count < 0;
    for (int i = offset; i < offset + count; i++) {
      see(buffer[i]);
    }
    return count;
  }

  private void see(char c) {
    lineEnd = c == '\n' || c == '\r';
    boolean cellEnd = lineEnd || c == ',';
    place =
        switch (place) {
          case START -> c == '"' ? Place.QUOTED : cellEnd ? Place.START : Place.PLAIN;
          case PLAIN -> cellEnd ? Place.START : Place.PLAIN;
          case QUOTED -> c == '"' ? Place.BEHIND_QUOTE : Place.QUOTED;
          case BEHIND_QUOTE -> c == '"' ? Place.QUOTED : cellEnd ? Place.START : Place.BEHIND_QUOTE;
        };
  }
}
