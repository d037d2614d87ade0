package dev.torg.offers.feed.format;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/// Observes a CSV as it is read and detects whether it ended within a line or within quotes.
final class CsvTruncationDetector extends FilterReader {
  private State state = State.START;
  private boolean lineEnd = true;
  private boolean ended;

  /// The position within a cell.
  private enum State {
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
  boolean isTruncated() {
    return ended && !lineEnd;
  }

  /// Whether the text ended within a quoted cell.
  boolean hasOpenQuote() {
    return ended && state == State.QUOTED;
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
    state =
        switch (state) {
          case START -> c == '"' ? State.QUOTED : cellEnd ? State.START : State.PLAIN;
          case PLAIN -> cellEnd ? State.START : State.PLAIN;
          case QUOTED -> c == '"' ? State.BEHIND_QUOTE : State.QUOTED;
          case BEHIND_QUOTE -> c == '"' ? State.QUOTED : cellEnd ? State.START : State.BEHIND_QUOTE;
        };
  }
}
