package dev.torg.offers.feed.format;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/// Reads a gzip file with all its members. The library buffers the file name in a member's header whatever
/// its length, so the number of bytes read before the next output byte is limited.
final class BoundedGzipInputStream extends FilterInputStream {
  private static final int MAX_HEAD = 1 << 20;

  private final StepLimitedInputStream packed;

  private BoundedGzipInputStream(StepLimitedInputStream packed, InputStream unpacked) {
    super(unpacked);
    this.packed = packed;
  }

  static BufferedInputStream of(InputStream file, int buffer) throws IOException {
    StepLimitedInputStream packed = new StepLimitedInputStream(file, MAX_HEAD);
    // The JDK's implementation treats an error at the end of a member as the end of the file.
    InputStream unpacked = new GzipCompressorInputStream(packed, true);
    return new BufferedInputStream(new BoundedGzipInputStream(packed, unpacked), buffer);
  }

  @Override
  public int read() throws IOException {
    int result = super.read();
    packed.nextStep();
    return result;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int count = super.read(buffer, offset, length);
    packed.nextStep();
    return count;
  }
}
