package dev.torg.offers.feed.read;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Tells trouble on the way here from trouble in what came: whoever reads on top of it throws the same
/// kind of exception for both.
final class Arriving extends FilterInputStream {
  Arriving(InputStream in) {
    super(in);
  }

  /// The sender went away.
  static final class CutOff extends IOException {
    private static final long serialVersionUID = 1;

    CutOff(IOException cause) {
      super(cause);
    }
  }

  @Override
  public int read() throws IOException {
    try {
      return super.read();
    } catch (IOException e) {
      throw new CutOff(e);
    }
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    try {
      return super.read(buffer, offset, length);
    } catch (IOException e) {
      throw new CutOff(e);
    }
  }
}
