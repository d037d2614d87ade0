package dev.torg.photos.fetch;

import dev.torg.platform.net.HostResolver;
import dev.torg.platform.net.PublicHostResolver;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;
import org.apache.hc.client5.http.DnsResolver;

/// Resolves names for the HTTP client, with [PublicHostResolver].
final class PublicOnlyDnsResolver implements DnsResolver {
  private final PublicHostResolver hosts;

  PublicOnlyDnsResolver(HostResolver names, Set<String> trusted) {
    this.hosts = new PublicHostResolver(names, trusted);
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    return hosts.resolve(host).toArray(InetAddress[]::new);
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }
}
