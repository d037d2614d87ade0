package dev.torg.matching.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// Writes numbers, arrays and texts through one buffer, summing as it goes.
final class SnapshotWriter {
  private final FileChannel file;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
  private final CRC32C sum = new CRC32C();

  SnapshotWriter(FileChannel file) {
    this.file = file;
  }

  void number(int value) throws IOException {
    capacity(4).putInt(value);
  }

  void number(long value) throws IOException {
    capacity(8).putLong(value);
  }

  void bytes(byte[] values) throws IOException {
    number(values.length);
    for (byte value : values) {
      capacity(1).put(value);
    }
  }

  void text(String text) throws IOException {
    bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  void ints(int[] values) throws IOException {
    number(values.length);
    for (int value : values) {
      capacity(4).putInt(value);
    }
  }

  void longs(long[] values) throws IOException {
    number(values.length);
    for (long value : values) {
      capacity(8).putLong(value);
    }
  }

  private ByteBuffer capacity(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush();
    }
    return buffer;
  }

  void flush() throws IOException {
    buffer.flip();
    sum.update(buffer.duplicate());
    while (buffer.hasRemaining()) {
      file.write(buffer);
    }
    buffer.clear();
  }

  long sum() {
    return sum.getValue();
  }
}
