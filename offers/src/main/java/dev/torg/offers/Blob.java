package dev.torg.offers;

import dev.torg.offers.photo.blob.BlobStore;
import dev.torg.platform.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// A stored blob that is read piece by piece, so that a slow reader holds one piece and not the whole. Whoever opens one
/// closes it.
///
/// @param length of the whole, in bytes
public record Blob(long length, InputStream bytes) implements AutoCloseable {
  /// The next bytes, as many as asked for unless the end comes first; empty at the end. Blocks.
  public byte[] next(int most) {
    try {
      byte[] piece = new byte[(int) Math.min(most, Math.max(1, length))];
      int count = bytes.readNBytes(piece, 0, piece.length);
      return count == piece.length ? piece : Arrays.copyOf(piece, count);
    } catch (IOException e) {
      throw BlobStore.unavailable(e);
    }
  }

  @Override
  public void close() throws Failure {
    try {
      bytes.close();
    } catch (IOException e) {
      throw BlobStore.unavailable(e);
    }
  }
}
