package dev.torg.photos.image;

import java.io.EOFException;
import java.util.Arrays;

/// Reads numbers from a file in memory. A premature end is an [EOFException].
final class ImageBytes {
  private final byte[] bytes;
  private int at;

  ImageBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  long length() {
    return bytes.length;
  }

  long at() {
    return at;
  }

  void skip(long count) throws EOFException {
    if (count < 0 || at + count > bytes.length) {
      throw new EOFException();
    }
    at += (int) count;
  }

  int uint8() throws EOFException {
    if (at >= bytes.length) {
      throw new EOFException();
    }
    return bytes[at++] & 0xFF;
  }

  int uint16() throws EOFException {
    return uint8() << 8 | uint8();
  }

  int int32() throws EOFException {
    return uint16() << 16 | uint16();
  }

  int uint24LittleEndian() throws EOFException {
    return uint8() | uint8() << 8 | uint8() << 16;
  }

  long uint32LittleEndian() throws EOFException {
    return Integer.toUnsignedLong(Integer.reverseBytes(int32()));
  }

  /// At most `count` bytes; fewer only at the end of the file.
  byte[] next(int count) {
    byte[] result = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + count));
    at += result.length;
    return result;
  }
}
