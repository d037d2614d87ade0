package dev.torg.bench.feed;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// A feed's NDJSON, generated as it is read.
final class FeedFile extends InputStream {
  private final FeedItems items;
  private byte[] line = new byte[0];
  private int at;
  private int next;

  FeedFile(FeedItems items) {
    this.items = items;
  }

  @Override
  public int read() {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    int count = 0;
    while (count < length && fill()) {
      int part = Math.min(length - count, line.length - at);
      System.arraycopy(line, at, buffer, offset + count, part);
      at += part;
      count += part;
    }
    return count == 0 ? -1 : count;
  }

  private boolean fill() {
    while (at == line.length && next < items.count()) {
      if (items.has(next)) {
        line = items.json(next).getBytes(StandardCharsets.UTF_8);
        at = 0;
      }
      next++;
    }
    return at < line.length;
  }
}
