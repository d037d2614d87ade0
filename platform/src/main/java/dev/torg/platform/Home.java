package dev.torg.platform;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/// One of the 256 logical shards of people, sellers, searches and offers. Every table's primary key starts with
/// it, and one logical write touches one home only.
public record Home(int number) implements Comparable<Home> {
  public static final int COUNT = 256;

  /// Background work is leased by groups of homes.
  public static final int GROUPS = 16;

  private static final HashFunction HASH = Hashing.murmur3_32_fixed();

  public Home {
    if (number < 0 || number >= COUNT) {
      throw new IllegalArgumentException("no such home: " + number);
    }
  }

  /// The home of a person, seller or search: `murmur3_32(utf8(key)) mod 256`.
  public static Home of(String key) {
    return new Home(
        Integer.remainderUnsigned(HASH.hashString(key, StandardCharsets.UTF_8).asInt(), COUNT));
  }

  public static List<Home> all() {
    return IntStream.range(0, COUNT).mapToObj(Home::new).toList();
  }

  public int group() {
    return number % GROUPS;
  }

  @Override
  public int compareTo(Home other) {
    return Integer.compare(number, other.number);
  }
}
