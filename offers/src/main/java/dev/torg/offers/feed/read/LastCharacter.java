package dev.torg.offers.feed.read;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/// Remembers how a text ended.
final class LastCharacter extends FilterReader {
  private int last = '\n';
  private boolean ended;

  LastCharacter(Reader in) {
    super(in);
  }

  /// Whether it is over and ended within a line.
  boolean isCutOff() {
    return ended && last != '\n' && last != '\r';
  }

  @Override
  public int read() throws IOException {
    int c = super.read();
    ended = c < 0;
    last = ended ? last : c;
    return c;
  }

  @Override
  public int read(char[] buffer, int offset, int length) throws IOException {
    int count = super.read(buffer, offset, length);
    ended = count < 0;
    last = count > 0 ? buffer[offset + count - 1] : last;
    return count;
  }
}
