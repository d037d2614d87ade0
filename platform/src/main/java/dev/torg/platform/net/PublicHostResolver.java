package dev.torg.platform.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Resolves names and refuses those with any address outside the public network. Hosts named by the operator are
/// trusted.
public final class PublicHostResolver implements HostResolver {
  private final HostResolver names;
  private final Set<String> trusted;

  /// @param trusted names and addresses that may be outside the public network
  public PublicHostResolver(HostResolver names, Set<String> trusted) {
    this.names = names;
    this.trusted =
        trusted.stream().map(PublicHostResolver::normal).collect(Collectors.toUnmodifiableSet());
  }

  /// @throws PrivateAddressException if an address is not on the public network
  @Override
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    List<InetAddress> addresses = names.resolve(unbracketed(host));
    if (addresses.isEmpty()) {
      throw new UnknownHostException(host);
    }
    if (!isTrusted(host) && !addresses.stream().allMatch(PublicAddresses::contain)) {
      throw new PrivateAddressException(host);
    }
    return addresses;
  }

  /// Whether the operator named the host.
  public boolean isTrusted(String host) {
    return trusted.contains(normal(host));
  }

  private static String unbracketed(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static String normal(String host) {
    return unbracketed(host.strip()).toLowerCase(Locale.ROOT);
  }
}
