package dev.torg.offers.photo.image;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// Reads numbers from a file at a place. An end that comes too early is an [EOFException].
final class FileBytes implements AutoCloseable {
  private static final int BUFFER = 64 * 1024;

  private final FileChannel file;
  private final long length;
  private DataInputStream in;
  private long at;

  private FileBytes(FileChannel file) throws IOException {
    this.file = file;
    this.length = file.size();
    this.in = stream();
  }

  static FileBytes open(Path path) throws IOException {
    return new FileBytes(FileChannel.open(path));
  }

  private DataInputStream stream() {
    return new DataInputStream(new BufferedInputStream(Channels.newInputStream(file), BUFFER));
  }

  long length() {
    return length;
  }

  long at() {
    return at;
  }

  void seek(long place) throws IOException {
    if (place > length) {
      throw new EOFException();
    }
    file.position(place);
    in = stream();
    at = place;
  }

  /// Cheap for what lies within the buffer.
  void skip(long count) throws IOException {
    if (count < 0 || at + count > length) {
      throw new EOFException();
    }
    in.skipNBytes(count);
    at += count;
  }

  int uint8() throws IOException {
    at++;
    return in.readUnsignedByte();
  }

  int uint16() throws IOException {
    at += 2;
    return in.readUnsignedShort();
  }

  int int32() throws IOException {
    at += 4;
    return in.readInt();
  }

  int uint24LittleEndian() throws IOException {
    return uint8() | uint8() << 8 | uint8() << 16;
  }

  long uint32LittleEndian() throws IOException {
    return Integer.toUnsignedLong(Integer.reverseBytes(int32()));
  }

  /// At most so many bytes: less only at the end of the file.
  byte[] bytes(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    at += bytes.length;
    return bytes;
  }

  InputStream rest() {
    return in;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
