package dev.torg.offers.feed.format;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Limits the bytes that a parser reads in one step. Otherwise a name, comment or attribute without an end
/// would be collected in memory.
final class StepLimitedInputStream extends FilterInputStream {
  private final int maxBytes;
  private int read;

  StepLimitedInputStream(InputStream in, int maxBytes) {
    super(in);
    this.maxBytes = maxBytes;
  }

  /// A separate type, so that it is not mistaken for a transport error.
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1;

    private final int maxBytes;

    TooLarge(int maxBytes) {
      super("a part of the feed is larger than " + maxBytes + " bytes");
      this.maxBytes = maxBytes;
    }

    int maxBytes() {
      return maxBytes;
    }
  }

  void nextStep() {
    read = 0;
  }

  @Override
  public int read() throws IOException {
    return counted(super.read(), 1);
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int count = super.read(buffer, offset, length);
    return counted(count, count);
  }

  private int counted(int result, int count) throws TooLarge {
    read += Math.max(0, count);
    if (read > maxBytes) {
      throw new TooLarge(maxBytes);
    }
    return result;
  }
}
