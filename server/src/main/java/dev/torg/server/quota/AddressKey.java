package dev.torg.server.quota;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/// Which addresses count as one. An IPv4 address counts by itself. Of an IPv6 address the first 64 bits count:
/// a client usually controls the whole network of that prefix, 2^64 addresses.
public final class AddressKey {
  private static final int PREFIX_BYTES = 8;

  private AddressKey() {}

  public static String of(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return address.getHostAddress();
    }
    byte[] prefix = Arrays.copyOf(address.getAddress(), PREFIX_BYTES);
    return network(Arrays.copyOf(prefix, address.getAddress().length)) + "/64";
  }

  private static String network(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // Sixteen bytes are an address.
    }
  }
}
