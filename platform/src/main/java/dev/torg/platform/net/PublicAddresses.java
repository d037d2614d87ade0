package dev.torg.platform.net;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/// Decides which addresses belong to the public network. Ranges reserved by the IANA are refused: loopback,
/// private and shared networks, link-local (where clouds serve their metadata), documentation, benchmarks,
/// multicast, and IPv6 forms that embed an IPv4 address.
final class PublicAddresses {
  /// A range by its prefix and the number of significant bits.
  private record Range(int prefix, int bits) {
    static Range of(int a, int b, int c, int d, int bits) {
      return new Range(a << 24 | b << 16 | c << 8 | d, bits);
    }

    boolean holds(int address) {
      return (address ^ prefix) >>> (Integer.SIZE - bits) == 0;
    }
  }

  private static final List<Range> REFUSED_V4 =
      List.of(
          Range.of(0, 0, 0, 0, 8),
          Range.of(10, 0, 0, 0, 8),
          Range.of(100, 64, 0, 0, 10),
          Range.of(127, 0, 0, 0, 8),
          Range.of(169, 254, 0, 0, 16),
          Range.of(172, 16, 0, 0, 12),
          Range.of(192, 0, 0, 0, 24),
          Range.of(192, 0, 2, 0, 24),
          Range.of(192, 88, 99, 0, 24),
          Range.of(192, 168, 0, 0, 16),
          Range.of(198, 18, 0, 0, 15),
          Range.of(198, 51, 100, 0, 24),
          Range.of(203, 0, 113, 0, 24),
          Range.of(224, 0, 0, 0, 4),
          Range.of(240, 0, 0, 0, 4));

  /// Global unicast, by the first 32 bits.
  private static final Range PUBLIC_V6 = new Range(0x20000000, 3);

  /// Protocol assignments with Teredo, documentation (twice), 6to4.
  private static final List<Range> REFUSED_V6 =
      List.of(
          new Range(0x20010000, 23),
          new Range(0x20010DB8, 32),
          new Range(0x3FFF0000, 20),
          new Range(0x20020000, 16));

  private PublicAddresses() {}

  static boolean contain(InetAddress address) {
    int first = first(address);
    return address instanceof Inet4Address
        ? REFUSED_V4.stream().noneMatch(range -> range.holds(first))
        : PUBLIC_V6.holds(first) && REFUSED_V6.stream().noneMatch(range -> range.holds(first));
  }

  private static int first(InetAddress address) {
    byte[] bytes = address.getAddress();
    return (bytes[0] & 0xFF) << 24
        | (bytes[1] & 0xFF) << 16
        | (bytes[2] & 0xFF) << 8
        | bytes[3] & 0xFF;
  }
}
