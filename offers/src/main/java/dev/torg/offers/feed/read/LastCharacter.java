package dev.torg.offers.feed.read;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/// Remembers how a text ended, and whether its quotes came in pairs.
final class LastCharacter extends FilterReader {
  private int last = '\n';
  private boolean ended;
  private boolean quote;

  LastCharacter(Reader in) {
    super(in);
  }

  /// Whether it is over and ended within a line.
  boolean isCutOff() {
    return ended && last != '\n' && last != '\r';
  }

  /// Whether it is over and its quotes do not come in pairs.
  boolean hasOpenQuote() {
    return ended && quote;
  }

  @Override
  public int read() throws IOException {
    int c = super.read();
    ended = c < 0;
    last = ended ? last : c;
    quote ^= c == '"';
    return c;
  }

  @Override
  public int read(char[] buffer, int offset, int length) throws IOException {
    int count = super.read(buffer, offset, length);
    ended = count < 0;
    last = count > 0 ? buffer[offset + count - 1] : last;
    for (int i = offset; i < offset + count; i++) {
      quote ^= buffer[i] == '"';
    }
    return count;
  }
}
