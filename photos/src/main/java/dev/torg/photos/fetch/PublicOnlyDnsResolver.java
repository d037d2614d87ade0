package dev.torg.photos.fetch;

import dev.torg.photos.HostResolver;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hc.client5.http.DnsResolver;

/// Resolves names for the HTTP client and refuses those with any address outside the public network. Hosts
/// named by the operator are trusted.
final class PublicOnlyDnsResolver implements DnsResolver {
  private final HostResolver names;
  private final Set<String> trusted;

  PublicOnlyDnsResolver(HostResolver names, Set<String> trusted) {
    this.names = names;
    this.trusted =
        trusted.stream().map(PublicOnlyDnsResolver::normal).collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    List<InetAddress> addresses = names.resolve(unbracketed(host));
    if (addresses.isEmpty()) {
      throw new UnknownHostException(host);
    }
    if (!trusted.contains(normal(host)) && !addresses.stream().allMatch(PublicAddresses::contain)) {
      throw new PrivateAddressException(host);
    }
    return addresses.toArray(InetAddress[]::new);
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }

  private static String unbracketed(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static String normal(String host) {
    return unbracketed(host.strip()).toLowerCase(Locale.ROOT);
  }
}
