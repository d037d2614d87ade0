package dev.torg.photos;

import dev.torg.platform.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A stored blob, read in pieces so that a slow reader holds only one piece in memory. The caller that
/// opens it closes it.
///
/// @param length of the whole blob, in bytes
public record Blob(long length, InputStream bytes) implements AutoCloseable {
  /// The code of the failure when the store does not respond.
  public static final String UNAVAILABLE_CODE = "photos.store-away";

  /// The next bytes, at most `maxBytes`; empty at the end. Blocks.
  public byte[] next(int maxBytes) {
    try {
      byte[] piece = new byte[(int) Math.min(maxBytes, Math.max(1, length))];
      int count = bytes.readNBytes(piece, 0, piece.length);
      return count == piece.length ? piece : Arrays.copyOf(piece, count);
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  @Override
  public void close() throws Failure {
    try {
      bytes.close();
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  public static Failure unavailable(@Nullable Throwable cause) {
    return Failure.unavailable(UNAVAILABLE_CODE, "the photo store does not answer", cause);
  }
}
