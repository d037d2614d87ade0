package dev.torg.matching.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

/// Reads what [SnapshotWriter] wrote. The file's sum was checked before, so lengths can be trusted.
final class SnapshotReader {
  private final FileChannel file;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 20).flip();

  SnapshotReader(FileChannel file) {
    this.file = file;
  }

  int number() throws IOException {
    return have(4).getInt();
  }

  long longNumber() throws IOException {
    return have(8).getLong();
  }

  byte[] bytes() throws IOException {
    byte[] values = new byte[number()];
    for (int i = 0; i < values.length; i++) {
      values[i] = have(1).get();
    }
    return values;
  }

  String text() throws IOException {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  int[] ints() throws IOException {
    int[] values = new int[number()];
    for (int i = 0; i < values.length; i++) {
      values[i] = have(4).getInt();
    }
    return values;
  }

  long[] longs() throws IOException {
    long[] values = new long[number()];
    for (int i = 0; i < values.length; i++) {
      values[i] = have(8).getLong();
    }
    return values;
  }

  private ByteBuffer have(int bytes) throws IOException {
    while (buffer.remaining() < bytes) {
      buffer.compact();
      int read = file.read(buffer);
      buffer.flip();
      if (read < 0) {
        throw new SnapshotException("the snapshot ends too early");
      }
    }
    return buffer;
  }
}
