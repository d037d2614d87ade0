package dev.torg.offers.feed.format;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Lets a parser read only so far for one step: a name, a comment or an attribute without an end would
/// else be gathered in memory.
final class StepLimitedInputStream extends FilterInputStream {
  private final int maxBytes;
  private int read;

  StepLimitedInputStream(InputStream in, int most) {
    super(in);
    this.maxBytes = most;
  }

  /// Of its own, so that it is not taken for a failure of the way here.
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1;

    private final int maxBytes;

    TooLarge(int most) {
      super("a part of the feed is larger than " + most + " bytes");
      this.maxBytes = most;
    }

    int most() {
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
