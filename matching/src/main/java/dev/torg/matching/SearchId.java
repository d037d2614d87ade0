package dev.torg.matching;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The id of a saved search: the SHA-1 of its canonical text, 20 bytes, shown as 40 hex digits.
public record SearchId(long first, long second, int third) implements Comparable<SearchId> {
  public static final int BYTES = 20;

  public static SearchId ofCanonical(String text) {
    try {
      return of(MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }

  public static SearchId of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a search id has 20 bytes, not " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new SearchId(buffer.getLong(), buffer.getLong(), buffer.getInt());
  }

  public static SearchId parse(String hex) {
    try {
      return of(HexFormat.of().parseHex(hex));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not a search id: " + hex, e);
    }
  }

  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(first).putLong(second).putInt(third).array();
  }

  public String hex() {
    return HexFormat.of().formatHex(bytes());
  }

  @Override
  public int compareTo(SearchId other) {
    int byFirst = Long.compareUnsigned(first, other.first);
    int bySecond = byFirst != 0 ? byFirst : Long.compareUnsigned(second, other.second);
    return bySecond != 0 ? bySecond : Integer.compareUnsigned(third, other.third);
  }

  @Override
  public String toString() {
    return hex();
  }
}
