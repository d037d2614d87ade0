package dev.torg.offers.photo.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// What a name resolves to now.
@FunctionalInterface
public interface HostResolver {
  HostResolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

  List<InetAddress> resolve(String host) throws UnknownHostException;
}
