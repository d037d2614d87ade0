package dev.torg.offers.feed.format;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Distinguishes transport errors from errors in the content: readers on top of it throw the same kind
/// of exception for both.
final class TransportInputStream extends FilterInputStream {
  private final LongSupplier nanos;
  private final Duration maxDuration;
  private final long start;

  /// @param maxDuration the time within which the file must be read to its end
  TransportInputStream(InputStream in, Duration maxDuration, LongSupplier nanos) {
    super(in);
    this.maxDuration = maxDuration;
    this.nanos = nanos;
    this.start = nanos.getAsLong();
  }

  /// The sender disconnected or took too long.
  static final class SenderGoneException extends IOException {
    private static final long serialVersionUID = 1;

    SenderGoneException(IOException cause) {
      super(cause);
    }
  }

  private void requireTime() throws SenderGoneException {
    if (nanos.getAsLong() - start > maxDuration.toNanos()) {
      throw new SenderGoneException(new IOException("the upload took longer than " + maxDuration));
    }
  }

  @Override
  public int read() throws IOException {
    requireTime();
    try {
      return super.read();
    } catch (IOException e) {
      throw new SenderGoneException(e);
    }
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    requireTime();
    try {
      return super.read(buffer, offset, length);
    } catch (IOException e) {
      throw new SenderGoneException(e);
    }
  }
}
