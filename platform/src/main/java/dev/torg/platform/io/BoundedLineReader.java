package dev.torg.platform.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Splits a stream into lines. Only the beginning of a line that is too long is retained; the rest is
/// skipped.
public final class BoundedLineReader {
  /// Replaces bytes that are not valid UTF-8.
  public static final char REPLACEMENT = '\uFFFD';

  private static final int BUFFER = 64 * 1024;

  private static final int MIN_CAPACITY = 8 * 1024;

  private final InputStream in;
  private final int maxBytes;
  private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
  private final byte[] buffer = new byte[BUFFER];
  private int from;
  private int to;
  private byte[] line;
  private int length;
  private int number;
  private boolean tooLong;
  private boolean terminated;

  /// @param maxBytes that are retained of a line
  public BoundedLineReader(InputStream in, int maxBytes) {
    this.in = in;
    this.maxBytes = maxBytes;
    this.line = new byte[Math.min(maxBytes, MIN_CAPACITY)];
  }

  /// Reads the next line; false at the end.
  public boolean next() throws IOException {
    length = 0;
    tooLong = false;
    terminated = false;
    boolean any = false;
    while (!terminated && fill()) {
      any = true;
      consume();
    }
    number += any ? 1 : 0;
    return any;
  }

  public int number() {
    return number;
  }

  public boolean isTooLong() {
    return tooLong;
  }

  /// Whether the line ends with a line break rather than with the stream.
  public boolean isTerminated() {
    return terminated;
  }

  public boolean isBlank() {
    for (int i = 0; i < length; i++) {
      if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
        return false;
      }
    }
    return !tooLong;
  }

  public int length() {
    return length;
  }

  /// The retained bytes: the first [#length] of this array, until the next line is read.
  public byte[] bytes() {
    return line;
  }

  public String text() throws CharacterCodingException {
    return utf8.decode(ByteBuffer.wrap(line, 0, length)).toString();
  }

  /// The retained part of the line, with invalid UTF-8 replaced.
  public String readable() {
    return new String(line, 0, length, StandardCharsets.UTF_8);
  }

  private boolean fill() throws IOException {
    if (from == to) {
      from = 0;
      to = Math.max(0, in.read(buffer));
    }
    return from < to;
  }

  private void consume() {
    int end = from;
    while (end < to && buffer[end] != '\n') {
      end++;
    }
    append(end - from);
    terminated = end < to;
    from = terminated ? end + 1 : end;
  }

  private void append(int count) {
    int capacity = Math.min(count, maxBytes - length);
    tooLong |= capacity < count;
    if (length + capacity > line.length) {
      line = Arrays.copyOf(line, Math.min(maxBytes, Math.max(length + capacity, 2 * length)));
    }
    System.arraycopy(buffer, from, line, length, capacity);
    length += capacity;
  }
}
